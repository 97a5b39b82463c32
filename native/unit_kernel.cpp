// Compiled once per instruction set, with STARCCG_KERNEL naming the table of functions it defines. No header with
// inline functions is included here: the linker could keep this file's copy and run it on a machine too old for it.
#include "unit_kernel.hpp"

namespace starccg {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

typedef float Floats __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
typedef int Ints __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

inline Floats load(const float* p) { return *reinterpret_cast<const Floats*>(p); }
inline void store(float* p, Floats v) { *reinterpret_cast<Floats*>(p) = v; }
inline Floats all(float x) { return Floats{} + x; }

inline Floats exponential(Floats x) {
    x = x < all(-87.0f) ? all(-87.0f) : x;
    x = x > all(88.0f) ? all(88.0f) : x;
    const Floats magic = all(12582912.0f);  // adding it rounds to a whole number
    const Floats shifted = x * 1.44269504f + magic;
    const Floats whole = shifted - magic;
    const Floats r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
    Floats p = all(1.9875691500e-4f);
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const Ints power = (__builtin_convertvector(whole, Ints) + 127) << 23;
    return p * (Floats)power;  // the same bits as floats
}

inline Floats sigmoid(Floats x) { return 1.0f / (1.0f + exponential(-x)); }
inline Floats tanh_of(Floats x) { return 2.0f * sigmoid(2.0f * x) - 1.0f; }

// out[s][N vectors] = sum over k of h[k] * rows[k][2D + offset ...] (+ c[k] * rows[k][offset ...] for the first C vectors).
template <int kStates, int N, int C>
inline void tile(const float* rows, Rows<const float> states, int d, int D, int offset, Rows<float> out) {
    Floats sum[kStates][N];
    for (int s = 0; s < kStates; ++s)
        for (int v = 0; v < N; ++v) sum[s][v] = Floats{};
    const float* row = rows + offset;
    for (int k = 0; k < d; ++k, row += 6 * D) {
#pragma GCC unroll 16
        for (int v = 0; v < C; ++v) {
            const Floats weight = load(row + v * kLanes);
#pragma GCC unroll 4
            for (int s = 0; s < kStates; ++s) sum[s][v] += states.data[s * states.stride + k] * weight;
        }
#pragma GCC unroll 16
        for (int v = 0; v < N; ++v) {
            const Floats weight = load(row + 2 * D + v * kLanes);
#pragma GCC unroll 4
            for (int s = 0; s < kStates; ++s) sum[s][v] += states.data[s * states.stride + D + k] * weight;
        }
    }
    for (int s = 0; s < kStates; ++s)
#pragma GCC unroll 16
        for (int v = 0; v < N; ++v) store(out.data + s * out.stride + offset + v * kLanes, sum[s][v]);
}

template <int kStates>
inline void share_rows(const float* weights, Rows<const float> states, int d, int D, Rows<float> out) {
    constexpr int kStep = 16;  // D is a multiple of 16
    constexpr int kVectors = kStep / kLanes, kWide = kStates == 1 && kLanes >= 8 ? 4 : 1;
    if constexpr (kStates == 1 && kLanes == 16)
        if (D == 64)  // the paper's size: all sixteen sums stay in registers, the weights are read in a row
            return tile<1, 16, 8>(weights, states, d, 64, 0, out);
    int offset = 0;
    for (; offset + kWide * kStep <= 2 * D; offset += kWide * kStep)
        tile<kStates, kWide * kVectors, kWide * kVectors>(weights, states, d, D, offset, out);
    for (; offset < 2 * D; offset += kStep) tile<kStates, kVectors, kVectors>(weights, states, d, D, offset, out);
    for (; offset + kWide * kStep <= 4 * D; offset += kWide * kStep)
        tile<kStates, kWide * kVectors, 0>(weights, states, d, D, offset, out);
    for (; offset < 4 * D; offset += kStep) tile<kStates, kVectors, 0>(weights, states, d, D, offset, out);
}

void shares(const float* weights, Rows<const float> states, int count, int d, int D, Rows<float> out) {
    constexpr int kStates = 4;
    for (; count >= kStates; count -= kStates, states.data += kStates * states.stride, out.data += kStates * out.stride)
        share_rows<kStates>(weights, states, d, D, out);
    for (; count > 0; --count, states.data += states.stride, out.data += out.stride)
        share_rows<1>(weights, states, d, D, out);
}

// sums[N vectors] = sum over k of read[k] * rows[k][...], whose rows are D floats apart.
template <int N>
inline void output_sums(const float* rows, const float* read, int d, int D, float* sums) {
    Floats sum[N];
    for (int v = 0; v < N; ++v) sum[v] = Floats{};
    for (int k = 0; k < d; ++k, rows += D)
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v) sum[v] += read[k] * load(rows + v * kLanes);
    for (int v = 0; v < N; ++v) store(sums + v * kLanes, sum[v]);
}

float finish(const UnitInput& in, float* state) {
    const int d = in.d, D = in.D;
    const auto gate = [&](int g, int j) {
        const int at = g * D + j;
        return (load(in.bias + at) + load(in.left.share + at)) + load(in.right.share + at);
    };
    float *cell = state, *hidden = state + D;  // `hidden` holds the candidate c~ until h is known
    for (int j = 0; j < D; j += kLanes) {
        const Floats i = sigmoid(gate(0, j)), f = sigmoid(gate(1, j)), candidate = tanh_of(gate(2, j));
        const Floats both = f * load(in.left.state + j) + (1.0f - f) * load(in.right.state + j);
        store(cell + j, i * candidate + (1.0f - i) * both);
        store(hidden + j, candidate);
    }
    const float* read = in.reads_new_cell ? cell : hidden;
    // `hidden` may be overwritten only when all of the candidate has been read.
    float sums[kMostCells];
    int at = 0;
    if constexpr (kLanes == 16)
        for (; at + 64 <= D; at += 64) output_sums<4>(in.output_cell + at, read, d, D, sums + at);
    for (; at < D; at += 16) output_sums<16 / kLanes>(in.output_cell + at, read, d, D, sums + at);
    Floats score = Floats{};
    for (int j = 0; j < D; j += kLanes) {
        const Floats h = sigmoid(gate(3, j) + load(sums + j)) * tanh_of(load(cell + j));
        store(hidden + j, h);
        score += load(in.output + j) * h;
    }
    float lanes[16], total = 0;
    store(lanes, score);
    for (int lane = 0; lane < kLanes; ++lane) total += lanes[lane];
    return total;
}

template <int kStates, int N>
inline void product_tile(const float* weights, int inputs, int outputs, Rows<const float> x, int offset, Rows<float> out) {
    Floats sum[kStates][N];
    for (int s = 0; s < kStates; ++s)
        for (int v = 0; v < N; ++v) sum[s][v] = load(out.data + s * out.stride + offset + v * kLanes);
    const float* row = weights + offset;
    for (int k = 0; k < inputs; ++k, row += outputs)
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v) {
            const Floats weight = load(row + v * kLanes);
#pragma GCC unroll 4
            for (int s = 0; s < kStates; ++s) sum[s][v] += x.data[s * x.stride + k] * weight;
        }
    for (int s = 0; s < kStates; ++s)
        for (int v = 0; v < N; ++v) store(out.data + s * out.stride + offset + v * kLanes, sum[s][v]);
}

template <int kStates>
inline void product_rows(const float* weights, int inputs, int outputs, Rows<const float> x, Rows<float> out) {
    constexpr int kStep = 16, kVectors = kStep / kLanes;
    int offset = 0;
    for (; offset + 4 * kStep <= outputs && kLanes >= 8 && kStates == 1; offset += 4 * kStep)
        product_tile<kStates, 4 * kVectors>(weights, inputs, outputs, x, offset, out);
    for (; offset < outputs; offset += kStep) product_tile<kStates, kVectors>(weights, inputs, outputs, x, offset, out);
}

void add_products(const float* weights, int inputs, int outputs, Rows<const float> x, int count, Rows<float> out) {
    constexpr int kStates = 4;
    for (; count >= kStates; count -= kStates, x.data += kStates * x.stride, out.data += kStates * out.stride)
        product_rows<kStates>(weights, inputs, outputs, x, out);
    for (; count > 0; --count, x.data += x.stride, out.data += out.stride)
        product_rows<1>(weights, inputs, outputs, x, out);
}

void lstm_cell(float* gates, float* cell, int D) {
    for (int j = 0; j < D; j += kLanes) {
        const Floats i = sigmoid(load(gates + j)), candidate = tanh_of(load(gates + 2 * D + j)), old = load(cell + j);
        store(gates + 2 * D + j, candidate);
        store(cell + j, old + i * (candidate - old));
    }
}

void lstm_hidden(const float* gates, const float* cell, int D, float* hidden) {
    for (int j = 0; j < D; j += kLanes)
        store(hidden + j, sigmoid(load(gates + D + j)) * tanh_of(load(cell + j)));
}

}  // namespace

extern const UnitKernels STARCCG_KERNEL;
#define STARCCG_QUOTE(x) #x
#define STARCCG_NAME(x) STARCCG_QUOTE(x)
const UnitKernels STARCCG_KERNEL{.name = STARCCG_NAME(STARCCG_KERNEL), .shares = shares, .finish = finish,
                                 .add_products = add_products, .lstm_cell = lstm_cell, .lstm_hidden = lstm_hidden};

}  // namespace starccg
