// The arithmetic of the recursive unit and of the leaf LSTM, compiled once per instruction set and chosen at the start.
#pragma once

namespace starccg {

inline constexpr int kMostCells = 4096;

// The weights of one rule type are transposed so that the inner loop runs over outputs; `d` is the number of cells, `D` that
// number padded to a multiple of 16. In a row: d rows of [c_l -> i f | h_l -> i f c~ o], 6D floats each; the same for c_r and
// h_r; d rows of D floats from c~ (or the new cell) to o.

// What the unit reads of a child: its state [c | h], 2D floats, and its share, 4D floats.
struct ChildInput {
    const float *state, *share;
};

struct UnitInput {
    const float* output_cell;  // weights, see above
    const float* bias;         // of the rule type and the category, 4D floats
    ChildInput left, right;
    const float* output;  // W, D floats
    bool reads_new_cell;
    int d, D;
};

// Several arrays of floats in a row, `stride` floats apart.
template <class Float>
struct Rows {
    Float* data;
    long stride;
};

struct UnitKernels {
    const char* name;
    // Of each state ([c | h], 2D floats) its share: the 4D floats that this child contributes to the gates i, f, c~, o. A
    // weight is read once for several states, and a share does not depend on the states beside it, bit for bit.
    void (*shares)(const float* weights, Rows<const float> states, int count, int d, int D, Rows<float> shares);
    // The unit itself, given both shares; writes [c | h] of the node and returns W . h.
    float (*finish)(const UnitInput& input, float* state);
    // out[s][j] += sum over k of x[s][k] * weights[k * outputs + j]; `outputs` is a multiple of 16. A row of `out` does not
    // depend on the rows beside it, bit for bit.
    void (*add_products)(const float* weights, int inputs, int outputs, Rows<const float> x, int count, Rows<float> out);
    // One step of the leaf LSTM: from the sums of i and c~ in `gates` ([i | o | c~], 3D floats) the new cell, in place of
    // the old one; `gates` then holds c~ itself.
    void (*lstm_cell)(float* gates, float* cell, int D);
    // Then h from the sum of o and the new cell.
    void (*lstm_hidden)(const float* gates, const float* cell, int D, float* hidden);
};

// The kernels for this machine.
const UnitKernels& unit_kernels();

}  // namespace starccg
