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

constexpr int kMostCells = 4096;

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
    return p * reinterpret_cast<const Floats&>(power);
}

inline Floats sigmoid(Floats x) { return 1.0f / (1.0f + exponential(-x)); }
inline Floats tanh_of(Floats x) { return 2.0f * sigmoid(2.0f * x) - 1.0f; }

// out[N vectors] = sum over k of h[k] * rows[k][2D + offset ...] (+ c[k] * rows[k][offset ...] for the first C vectors).
template <int N, int C>
inline void tile(const float* rows, const float* c, const float* h, int d, int D, int offset, float* out) {
    Floats sum[N];
    for (int v = 0; v < N; ++v) sum[v] = Floats{};
    const float* row = rows + offset;
    for (int k = 0; k < d; ++k, row += 6 * D) {
        const float ck = c[k], hk = h[k];
#pragma GCC unroll 16
        for (int v = 0; v < C; ++v) sum[v] += ck * load(row + v * kLanes);
#pragma GCC unroll 16
        for (int v = 0; v < N; ++v) sum[v] += hk * load(row + 2 * D + v * kLanes);
    }
#pragma GCC unroll 16
    for (int v = 0; v < N; ++v) store(out + offset + v * kLanes, sum[v]);
}

void share(const float* weights, const float* state, int d, int D, float* out) {
    const float *c = state, *h = state + D;
    if (kLanes == 16 && D == 64) {  // the paper's size: all sixteen sums stay in registers, the weights are read in a row
        tile<16, 8>(weights, c, h, d, 64, 0, out);
        return;
    }
    constexpr int kStep = 16;  // D is a multiple of 16
    constexpr int kVectors = kStep / kLanes;
    int offset = 0;
    for (; offset + 4 * kStep <= 2 * D && kLanes >= 8; offset += 4 * kStep)
        tile<4 * kVectors, 4 * kVectors>(weights, c, h, d, D, offset, out);
    for (; offset < 2 * D; offset += kStep) tile<kVectors, kVectors>(weights, c, h, d, D, offset, out);
    for (; offset + 4 * kStep <= 4 * D && kLanes >= 8; offset += 4 * kStep)
        tile<4 * kVectors, 0>(weights, c, h, d, D, offset, out);
    for (; offset < 4 * D; offset += kStep) tile<kVectors, 0>(weights, c, h, d, D, offset, out);
}

// As `tile`, for kStates states at a time; kCell: these outputs read the cell too.
template <int kStates, int N, bool kCell>
inline void tiles(const float* rows, const float* states, long stride, int d, int D, int offset, float* out, long out_stride) {
    Floats sum[kStates][N];
    for (int s = 0; s < kStates; ++s)
        for (int v = 0; v < N; ++v) sum[s][v] = Floats{};
    const float* row = rows + offset;
    for (int k = 0; k < d; ++k, row += 6 * D) {
        if (kCell)
#pragma GCC unroll 4
            for (int v = 0; v < N; ++v) {
                const Floats weight = load(row + v * kLanes);
#pragma GCC unroll 4
                for (int s = 0; s < kStates; ++s) sum[s][v] += states[s * stride + k] * weight;
            }
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v) {
            const Floats weight = load(row + 2 * D + v * kLanes);
#pragma GCC unroll 4
            for (int s = 0; s < kStates; ++s) sum[s][v] += states[s * stride + D + k] * weight;
        }
    }
    for (int s = 0; s < kStates; ++s)
        for (int v = 0; v < N; ++v) store(out + s * out_stride + offset + v * kLanes, sum[s][v]);
}

void shares(const float* weights, const float* states, long stride, int count, int d, int D, float* out, long out_stride) {
    constexpr int kStates = 4, kStep = 16, kVectors = kStep / kLanes;
    for (; count >= kStates; count -= kStates, states += kStates * stride, out += kStates * out_stride) {
        int offset = 0;
        for (; offset < 2 * D; offset += kStep) tiles<kStates, kVectors, true>(weights, states, stride, d, D, offset, out, out_stride);
        for (; offset < 4 * D; offset += kStep) tiles<kStates, kVectors, false>(weights, states, stride, d, D, offset, out, out_stride);
    }
    for (; count > 0; --count, states += stride, out += out_stride) share(weights, states, d, D, out);
}

float finish(const RuleWeights& weights, const float* bias, const float* left_share, const float* right_share,
             const float* left_state, const float* right_state, const float* output, bool reads_new_cell, int d, int D,
             float* state) {
    const auto gate = [&](int g, int j) {
        const int at = g * D + j;
        return (load(bias + at) + load(left_share + at)) + load(right_share + at);
    };
    float *cell = state, *hidden = state + D;  // `hidden` holds the candidate c~ until h is known
    for (int j = 0; j < D; j += kLanes) {
        const Floats i = sigmoid(gate(0, j)), f = sigmoid(gate(1, j)), candidate = tanh_of(gate(2, j));
        const Floats both = f * load(left_state + j) + (1.0f - f) * load(right_state + j);
        store(cell + j, i * candidate + (1.0f - i) * both);
        store(hidden + j, candidate);
    }
    const float* read = reads_new_cell ? cell : hidden;
    Floats score = Floats{};
    float out[16];
    constexpr int kVectors = 16 / kLanes;
    // A vector's hidden state may be written only when all of the candidate has been read: sums wait in `sums`.
    float sums[kMostCells];
    for (int j = 0; j < D;) {
        if (kLanes == 16 && j + 64 <= D) {
            Floats sum[4] = {Floats{}, Floats{}, Floats{}, Floats{}};
            const float* row = weights.output_cell + j;
            for (int k = 0; k < d; ++k, row += D)
#pragma GCC unroll 4
                for (int v = 0; v < 4; ++v) sum[v] += read[k] * load(row + v * kLanes);
#pragma GCC unroll 4
            for (int v = 0; v < 4; ++v) store(sums + j + v * kLanes, sum[v]);
            j += 64;
        } else {
            Floats sum[kVectors];
            for (int v = 0; v < kVectors; ++v) sum[v] = Floats{};
            const float* row = weights.output_cell + j;
            for (int k = 0; k < d; ++k, row += D)
#pragma GCC unroll 4
                for (int v = 0; v < kVectors; ++v) sum[v] += read[k] * load(row + v * kLanes);
            for (int v = 0; v < kVectors; ++v) store(sums + j + v * kLanes, sum[v]);
            j += 16;
        }
    }
    for (int j = 0; j < D; j += kLanes) {
        const Floats h = sigmoid(gate(3, j) + load(sums + j)) * tanh_of(load(cell + j));
        store(hidden + j, h);
        score += load(output + j) * h;
    }
    store(out, score);
    float total = 0;
    for (int lane = 0; lane < kLanes; ++lane) total += out[lane];
    return total;
}

float stream(const float* weights, long floats) {
    Floats sum[8];
    for (int v = 0; v < 8; ++v) sum[v] = Floats{};
    long i = 0;
    for (; i + 8 * kLanes <= floats; i += 8 * kLanes)
#pragma GCC unroll 8
        for (int v = 0; v < 8; ++v) sum[v] += load(weights + i + v * kLanes);
    for (int v = 1; v < 8; ++v) sum[0] += sum[v];
    float total = 0;
    for (int lane = 0; lane < kLanes; ++lane) total += sum[0][lane];
    for (; i < floats; ++i) total += weights[i];
    return total;
}

}  // namespace

extern const UnitKernels STARCCG_KERNEL;
#define STARCCG_QUOTE(x) #x
#define STARCCG_NAME(x) STARCCG_QUOTE(x)
const UnitKernels STARCCG_KERNEL{STARCCG_NAME(STARCCG_KERNEL), share, shares, finish, stream};

}  // namespace starccg
