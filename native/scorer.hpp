// The global scores of the items of one sentence.
#pragma once
#include <cstdint>
#include <vector>

#include "arena.hpp"
#include "chart.hpp"
#include "sentence.hpp"
#include "tree_lstm.hpp"

namespace starccg {

// States [c | h] of scored items, in blocks that never move.
class StatePool {
public:
    void reset(int floats) {
        if (floats != floats_ || blocks_.size() > 64) blocks_.clear();
        floats_ = floats;
        used_ = 0;
    }
    std::uint32_t add() {
        if (used_ == blocks_.size() * kBlock) blocks_.push_back(aligned_floats(static_cast<std::size_t>(kBlock) * floats_));
        return used_++;
    }
    float* at(std::uint32_t i) { return blocks_[i / kBlock].get() + static_cast<std::size_t>(i % kBlock) * floats_; }
    std::size_t bytes() const { return blocks_.size() * kBlock * floats_ * sizeof(float); }

private:
    static constexpr std::uint32_t kBlock = 1024;
    std::vector<AlignedFloats> blocks_;
    std::uint32_t used_ = 0;
    int floats_ = 0;
};

// Runs recursive units and caches states, shares and, in span-factored models, scores.
class GlobalScorer {
public:
    // `span_factored`: a unit reads the words at the edges of its span, not its children.
    void reset(const TreeLstm& model, const SentenceView& sentence, bool span_factored);
    // s_global of item `id`; its children must have been scored. Counts a unit if one is run.
    Score score(const Arena<Item>& items, std::uint32_t id);
    std::int64_t units() const { return units_; }
    std::size_t bytes() const { return states_.bytes() + memo_.bytes(); }

private:
    const float* word_state(int word, int side) const { return words_.data() + (2L * word + side) * model_->state_floats(); }
    const float* leaf_share(int word, int side) const {
        return leaf_shares_.data() + (2L * word + side) * model_->share_floats();
    }

    const TreeLstm* model_ = nullptr;
    bool span_factored_ = false;
    Arena<float> words_;        // per word: forward [c | h], backward [c | h], padded
    Arena<float> leaf_shares_;  // what these contribute to a leaf, under any tag
    StatePool states_;
    Arena<std::uint32_t> state_of_;  // of items
    ShareCache shares_;
    Places memo_;  // span-factored: (span, category, rule) -> score, kept in `best`
    Arena<float> scratch_;
    std::int64_t units_ = 0;
};

}  // namespace starccg
