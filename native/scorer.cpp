#include "scorer.hpp"

#include <algorithm>

namespace starccg {

void GlobalScorer::reset(const TreeLstm& model, const SentenceView& sentence, bool span_factored) {
    model_ = &model;
    span_factored_ = span_factored;
    units_ = 0;
    states_.reset(model.state_floats());
    state_of_.clear();
    shares_.reset(model);
    memo_.reset(0);
    scratch_.resize(model.state_floats());
    words_.resize(static_cast<std::size_t>(sentence.words) * 2 * model.state_floats());
    for (int word = 0; word < sentence.words; ++word) {
        const float* from = sentence.states + static_cast<std::size_t>(word) * 4 * sentence.cells;
        for (int side = 0; side < 2; ++side)
            model.pad(from + 2 * side * sentence.cells, from + (2 * side + 1) * sentence.cells,
                      words_.data() + (2L * word + side) * model.state_floats());
    }
    if (span_factored) return;
    leaf_shares_.resize(static_cast<std::size_t>(sentence.words) * 2 * model.share_floats());
    for (int side = 0; side < 2; ++side)
        model.shares(kLexicon, side, {words_.data() + side * model.state_floats(), 2L * model.state_floats()}, sentence.words,
                     {leaf_shares_.data() + side * model.share_floats(), 2L * model.share_floats()});
}

Score GlobalScorer::score(const Arena<Item>& items, std::uint32_t id) {
    const Item& item = items[id];
    const TreeLstm& model = *model_;
    const auto input = [&](int side, std::uint32_t name, const float* state) {
        return ChildInput{state, shares_.get(model, item.rule, side, name, state)};
    };
    if (span_factored_) {
        Place& place = memo_.find(span_signature(item.start, item.end) | label(item.category, item.rule, 0, 0));
        if (place.holder != kNoItem) return place.best;
        const int first = item.start, last = item.end - 1;
        ++units_;
        const ChildInput left = input(0, last, word_state(last, 0)), right = input(1, first, word_state(first, 1));
        place.best = model.unit(item.rule, item.category, left, right, scratch_.data());
        place.holder = 0;
        return place.best;
    }
    ChildInput left, right;
    if (item.is_leaf()) {
        left = {word_state(item.start, 0), leaf_share(item.start, 0)};
        right = {word_state(item.start, 1), leaf_share(item.start, 1)};
    } else if (item.is_unary()) {
        left = {model.unary_left(), model.unary_left_share(item.rule)};
        right = input(1, item.left, states_.at(state_of_[item.left]));
    } else {
        left = input(0, item.left, states_.at(state_of_[item.left]));
        right = input(1, item.right, states_.at(state_of_[item.right]));
    }
    if (state_of_.size() <= id) state_of_.resize(std::max<std::size_t>(id + 1, 2 * state_of_.size()));
    const std::uint32_t state = states_.add();
    state_of_[id] = state;
    ++units_;
    return model.unit(item.rule, item.category, left, right, states_.at(state));
}

}  // namespace starccg
