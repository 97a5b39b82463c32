// The arithmetic of one recursive unit, compiled once per instruction set and chosen when the program starts.
#pragma once

namespace starccg {

// Weights of one rule type, transposed so that the inner loop runs over outputs: `d` real cells, `D` padded to 16.
struct RuleWeights {
    const float* left;         // d rows of [c_l -> i f | h_l -> i f c~ o], 6D floats each
    const float* right;        // the same for c_r and h_r
    const float* output_cell;  // d rows of D: c~ (or the new cell) -> o
};

struct UnitKernels {
    const char* name;
    // share[4D] = what one child contributes to the gates i, f, c~, o. `state` is [c | h], 2D floats.
    void (*share)(const float* weights, const float* state, int d, int D, float* share);
    // The same of `count` states, `stride` floats apart, into as many shares `out_stride` apart: each weight is read once for
    // several of them. Bit for bit what `share` gives.
    void (*shares)(const float* weights, const float* states, long stride, int count, int d, int D, float* out, long out_stride);
    // The unit itself, given both shares; writes [c | h] of the node and returns W . h.
    float (*finish)(const RuleWeights& weights, const float* bias, const float* left_share, const float* right_share,
                    const float* left_state, const float* right_state, const float* output, bool reads_new_cell, int d,
                    int D, float* state);
    // Reads the weights and does nothing with them: the limit that the unit is measured against.
    float (*stream)(const float* weights, long floats);
};

// The kernels for this machine.
const UnitKernels& unit_kernels();

}  // namespace starccg
