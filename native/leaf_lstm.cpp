#include "leaf_lstm.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace starccg {

namespace {

constexpr int kMostInputs = 65536;

const LeafLstm::Input& checked(const LeafLstm::Input& in) {
    if (in.cells < 1 || in.cells > kMostCells)
        throw std::invalid_argument("the leaf LSTM must have from 1 to " + std::to_string(kMostCells) + " cells");
    if (in.words < 1 || in.words > kMostInputs)
        throw std::invalid_argument("the leaf LSTM must read from 1 to " + std::to_string(kMostInputs) + " numbers per word");
    const long d = in.cells, w = in.words;
    const auto check = [](const float* values, long count, const char* what) {
        check_finite(values, count, std::string(what) + " of the leaf LSTM");
    };
    check(in.input_gate, 2 * d * (2 * d + w), "input_gate");
    check(in.output_gate, 2 * d * (2 * d + w), "output_gate");
    check(in.candidate, 2 * d * (d + w), "candidate");
    check(in.biases, 6 * d, "biases");
    check(in.boundary, 4 * d, "boundary");
    return in;
}

// Floats of one direction: from x, from h, from c to i, from c to o, biases, boundary.
long direction_floats(long d, long w, long D) { return w * 3 * D + d * 3 * D + 2 * d * D + 3 * D + 2 * D; }

// to[k * stride + j] = from[j * width + k] for j < rows and k < columns.
void transpose(const float* from, long width, long rows, long columns, float* to, long stride) {
    for (long j = 0; j < rows; ++j)
        for (long k = 0; k < columns; ++k) to[k * stride + j] = from[j * width + k];
}

}  // namespace

LeafLstm::LeafLstm(const Input& in)
    : d_(checked(in).cells), w_(in.words), D_((in.cells + 15) / 16 * 16), reads_new_cell_(in.output_reads_new_cell),
      kernels_(unit_kernels()), memory_(aligned_floats(2 * direction_floats(d_, w_, D_))) {
    const long d = d_, w = w_, D = D_, wide = 2 * d + w;
    std::fill_n(memory_.get(), 2 * direction_floats(d, w, D), 0.0f);
    for (int k = 0; k < 2; ++k) {
        const Direction to = direction(k);
        const float *input = in.input_gate + k * d * wide, *output = in.output_gate + k * d * wide;
        const float* candidate = in.candidate + k * d * (d + w);
        transpose(input + 2 * d, wide, d, w, to.from_x, 3 * D);
        transpose(output + 2 * d, wide, d, w, to.from_x + D, 3 * D);
        transpose(candidate + d, d + w, d, w, to.from_x + 2 * D, 3 * D);
        transpose(input + d, wide, d, d, to.from_h, 3 * D);
        transpose(output + d, wide, d, d, to.from_h + D, 3 * D);
        transpose(candidate, d + w, d, d, to.from_h + 2 * D, 3 * D);
        transpose(input, wide, d, d, to.input_from_c, D);
        transpose(output, wide, d, d, to.output_from_c, D);
        for (int gate = 0; gate < 3; ++gate) std::copy_n(in.biases + (3 * k + gate) * d, d, to.bias + gate * D);
        for (int part = 0; part < 2; ++part) std::copy_n(in.boundary + (2 * k + part) * d, d, to.boundary + part * D);
    }
}

LeafLstm::Direction LeafLstm::direction(int k) const {
    const long d = d_, w = w_, D = D_;
    float* from_x = memory_.get() + k * direction_floats(d, w, D);
    float *from_h = from_x + w * 3 * D, *input_from_c = from_h + d * 3 * D, *output_from_c = input_from_c + d * D;
    float* bias = output_from_c + d * D;
    return {from_x, from_h, input_from_c, output_from_c, bias, bias + 3 * D};
}

void LeafLstm::run(const float* inputs, int n, float* states) const {
    run(direction(0), inputs, n, false, states);
    run(direction(1), inputs, n, true, states + 2 * d_);
}

void LeafLstm::run(const Direction& weights, const float* inputs, int n, bool backward, float* states) const {
    const long D = D_;
    std::vector<float> memory(static_cast<std::size_t>(n) * 3 * D + 2 * D);
    float *gates = memory.data(), *cell = gates + n * 3 * D, *hidden = cell + D;
    for (int t = 0; t < n; ++t) std::copy_n(weights.bias, 3 * D, gates + t * 3 * D);
    kernels_.add_products(weights.from_x, w_, 3 * D_, {inputs, w_}, n, {gates, 3 * D});
    std::copy_n(weights.boundary, 2 * D, cell);
    for (int step = 0; step < n; ++step) {
        const int t = backward ? n - 1 - step : step;
        float* own = gates + t * 3 * D;  // [i | o | c~]
        kernels_.add_products(weights.from_h, d_, 3 * D_, {hidden, D}, 1, {own, 3 * D});
        kernels_.add_products(weights.input_from_c, d_, D_, {cell, D}, 1, {own, D});
        kernels_.lstm_cell(own, cell, D_);
        kernels_.add_products(weights.output_from_c, d_, D_, {reads_new_cell_ ? cell : own + 2 * D, D}, 1, {own + D, D});
        kernels_.lstm_hidden(own, cell, D_, hidden);
        float* state = states + static_cast<long>(t) * 4 * d_;
        std::copy_n(cell, d_, state);
        std::copy_n(hidden, d_, state + d_);
    }
}

}  // namespace starccg
