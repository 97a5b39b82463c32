// The bidirectional LSTM over the words, whose states are the inputs of the leaves' recursive units.
#pragma once
#include "tree_lstm.hpp"
#include "unit_kernel.hpp"

namespace starccg {

class LeafLstm {
public:
    // The arrays of the model; the first axis is the direction (forward, backward). d cells, w numbers per word.
    struct Input {
        int cells, words;
        const float* input_gate;   // (2, d, 2d + w), from [c, h, x]
        const float* output_gate;  // (2, d, 2d + w), from [c~ or the new cell, h, x]
        const float* candidate;    // (2, d, d + w), from [h, x]
        const float* biases;       // (2, 3, d): i, o, c~
        const float* boundary;     // (2, 2, d): c and h before the first word
        bool output_reads_new_cell;
    };

    explicit LeafLstm(const Input& input);  // throws std::invalid_argument

    int cells() const { return d_; }
    int words() const { return w_; }

    // states[n][4][d] of one sentence of n words: forward c and h, backward c and h. inputs[n][w].
    void run(const float* inputs, int n, float* states) const;

private:
    // Weights of one direction, transposed: rows of outputs [i | o | c~], each padded to D, for each input.
    struct Direction {
        float *from_x, *from_h, *input_from_c, *output_from_c, *bias, *boundary;
    };
    Direction direction(int k) const;
    void run(const Direction& weights, const float* inputs, int n, bool backward, float* states) const;

    int d_, w_, D_;
    bool reads_new_cell_;
    const UnitKernels& kernels_;
    AlignedFloats memory_;
};

}  // namespace starccg
