// The paper's recursive unit (section 3): rule-owned weights, category embeddings folded into a bias per rule and
// category, and the contribution of a child to the gates computed once and reused while it is cached.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "rule_table.hpp"
#include "score.hpp"
#include "unit_kernel.hpp"

namespace starccg {

struct FreeAligned {
    void operator()(float* p) const { ::operator delete(p, std::align_val_t{64}); }
};
using AlignedFloats = std::unique_ptr<float[], FreeAligned>;

// Not initialised: pages that are never written take no memory.
inline AlignedFloats aligned_floats(std::size_t count) {
    return AlignedFloats(static_cast<float*>(::operator new(count * sizeof(float), std::align_val_t{64})));
}

// Throws std::invalid_argument, which names the array, if one of the numbers is not finite.
void check_finite(const float* values, long count, const std::string& what);

// Throws std::invalid_argument if a model cannot have this size.
void check_model_size(std::size_t types, std::size_t cells, std::size_t categories, std::size_t embedding);

class TreeLstm {
public:
    struct Input {  // as TreeLstmWeights of the Python side, row-major
        int types = 0, cells = 0, categories = 0, embedding = 0;
        const float *input_gate = nullptr, *forget_gate = nullptr, *output_gate = nullptr, *candidate = nullptr;
        const float *biases = nullptr, *embeddings = nullptr, *unary_left = nullptr, *output = nullptr;
        bool output_reads_new_cell = false;
    };

    explicit TreeLstm(const Input& input);

    int types() const { return types_; }
    int cells() const { return d_; }
    int padded() const { return D_; }
    int categories() const { return categories_; }
    int state_floats() const { return 2 * D_; }
    int share_floats() const { return 4 * D_; }
    const float* unary_left() const { return unary_left_.get(); }
    const float* unary_left_share(int rule) const { return unary_left_shares_.get() + 4L * rule * D_; }

    // side 0: the left child's contribution under `rule`; 1: the right child's.
    void share(int rule, int side, const float* state, float* out) const {
        shares(rule, side, {state, 0}, 1, {out, 0});
    }

    void shares(int rule, int side, Rows<const float> states, int count, Rows<float> out) const {
        kernels_.shares(rule_weights(rule) + side * 6L * d_ * D_, states, count, d_, D_, out);
    }

    // Runs the unit; returns s_global = log sigmoid(W . h), on the grid.
    Score unit(int rule, int category, const ChildInput& left, const ChildInput& right, float* state) const;

    // Copies (c, h) of `cells()` floats each into a padded state.
    void pad(const float* c, const float* h, float* state) const;

private:
    long rule_floats() const { return 13L * d_ * D_; }
    const float* rule_weights(int rule) const { return weights_.get() + rule * rule_floats(); }
    const float* bias(int rule, int category) const;

    int types_, d_, D_, categories_, e_;
    bool reads_new_cell_;
    const UnitKernels& kernels_;
    AlignedFloats weights_;     // per rule: left, right, output_cell
    AlignedFloats embedding_;   // per rule: e rows of [i f c~ o], 4D floats each
    AlignedFloats biases_;      // per rule: 4D
    AlignedFloats embeddings_;  // per category: e
    AlignedFloats unary_left_;  // [c | h]
    AlignedFloats unary_left_shares_;  // per rule: 4D, the same under every unary node
    AlignedFloats output_;      // D
    mutable AlignedFloats folded_;  // per rule and category: 4D, computed when first needed
    mutable std::unique_ptr<std::atomic<bool>[]> is_folded_;
    mutable std::mutex folding_;
};

// The newest children's shares by (state, rule, side), one after the other in memory: those of a short sentence stay in the
// processor's caches, and in a long one few are computed twice.
class ShareCache {
public:
    void reset(const TreeLstm& model);
    // The share of `state`, which has this `name` until the cache is reset. The pointer is valid for this and the next call.
    const float* get(const TreeLstm& model, int rule, int side, std::uint32_t name, const float* state);

private:
    static constexpr std::size_t kBytes = std::size_t{16} << 20;
    static constexpr int kTableBits = 16;

    AlignedFloats shares_;
    std::vector<std::uint64_t> keys_;    // of the places
    std::vector<std::uint32_t> places_;  // by hash: where a share may be; its key says whether it is
    std::size_t count_ = 0, next_ = 0;   // places, and the one that is written next
    std::uint64_t stamp_ = 0;            // of this sentence, in the upper bits of its keys
    int floats_ = 0;
};

}  // namespace starccg
