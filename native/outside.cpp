#include "outside.hpp"

#include <bit>

namespace starccg {
namespace {

template <class Each>
void for_each_bit(std::uint64_t bits, Each each) {
    for (; bits; bits &= bits - 1) each(std::countr_zero(bits));
}

}  // namespace

void OutsideBound::reset(const RuleTable& table, const TaggedWords& tags, Score unary_cost, bool whole) {
    table_ = &table, tags_ = &tags;
    unary_cost_ = unary_cost, depth_ = 0, whole_ = whole;
    words_ = tags.words(), blocks_ = table.words_of_bits();
    const std::size_t places = static_cast<std::size_t>(words_) * (words_ + 1);
    rows_.resize(places * blocks_);
    spans_.resize(places);
    there_.assign(blocks_, 0);
    best_.resize(table.categories());
}

template <class Each>
void OutsideBound::for_each_block(std::uint64_t rows, Each each) const {
    for_each_bit(rows, [&](int first) {
        for (int block = first; block < blocks_; block += 64) each(block);
    });
}

template <class Join>
void OutsideBound::for_each_join(int start, int middle, int end, Score least, Join join) const {
    const Span &lefts = spans_[place(start, middle)], &rights = spans_[place(middle, end)];
    if (!lefts.rows || !rights.rows || lefts.best + rights.best < least) return;
    const Row* rows = &rows_[place(middle, end) * blocks_];
    for (std::uint32_t left = lefts.first; left < lefts.last; ++left) {
        const Score needed = least == kNone ? kNone : least - inside_[left];
        if (rights.best < needed) continue;
        const PartnerBits* partners = table_->right_partners(categories_[left]);
        for_each_block(table_->right_summary(categories_[left]) & rights.rows, [&](int block) {
            const PartnerBits& partner = partners[block];
            for (std::uint64_t hits = partner.bits & rows[block].bits; hits; hits &= hits - 1) {
                const std::uint64_t lowest = hits & (0 - hits);
                const std::uint32_t right = rows[block].first + rank(rows[block], lowest);
                if (inside_[right] < needed) continue;
                const std::uint32_t pair = partner.first + count_bits(partner.bits & (lowest - 1));
                for (const BinaryEntry* rule = table_->rules_begin(pair); rule != table_->rules_end(pair); ++rule)
                    if (may_build(rule->rule, start)) join(left, right, rule->result);
            }
        });
    }
}

void OutsideBound::fill_inside(int start, int end) {
    const Score least = floor_ == kNone ? kNone : floor_ - tags_->outside(start, end);
    Span& span = spans_[place(start, end)];
    const auto first = static_cast<std::uint32_t>(inside_.size()), first_edge = static_cast<std::uint32_t>(edges_.size());
    span = {0, kNone, first, first, first_edge, first_edge, true};
    const auto offer = [&](int category, Score score) {
        std::uint64_t& word = there_[category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (category % 64);
        if (word & bit && best_[category] >= score) return false;
        word |= bit;
        best_[category] = score;
        span.rows |= std::uint64_t{1} << (category / 64 % 64);
        return true;
    };
    if (end == start + 1)
        for (int i = 0; i < tags_->tags(start) && tags_->tag(start, i).score >= least; ++i)
            offer(tags_->tag(start, i).category, tags_->tag(start, i).score);
    for (int middle = start + 1; middle < end; ++middle)
        for_each_join(start, middle, end, least, [&](std::uint32_t left, std::uint32_t right, int result) {
            offer(result, inside_[left] + inside_[right]);
            span.holds_edges &= edges_.size() < kMostEdges;
            if (span.holds_edges) edges_.push_back({left, right, static_cast<std::uint16_t>(result)});
        });
    span.last_edge = static_cast<std::uint32_t>(edges_.size());
    if (!span.rows) return;
    // Unary rules cost something or nothing: this ends when no chain makes anything better.
    for (bool better = may_change(start, end); better;) {
        better = false;
        for_each_block(span.rows, [&](int block) {
            for_each_bit(there_[block] & table_->unary_bits(block), [&](int bit) {
                const int category = block * 64 + bit;
                const Score score = best_[category] - unary_cost_;
                if (score < least) return;
                for (const UnaryEntry* rule = table_->unary_begin(category); rule != table_->unary_end(category); ++rule)
                    if (may_build(rule->rule, start)) better |= offer(rule->result, score);
            });
        });
    }
    Row* rows = &rows_[place(start, end) * blocks_];
    for_each_block(span.rows, [&](int block) {
        rows[block] = {there_[block], static_cast<std::uint32_t>(inside_.size())};
        for_each_bit(there_[block], [&](int bit) {
            const int category = block * 64 + bit;
            categories_.push_back(static_cast<std::uint16_t>(category));
            inside_.push_back(best_[category]);
            span.best = std::max(span.best, best_[category]);
        });
        there_[block] = 0;
    });
    span.last = static_cast<std::uint32_t>(inside_.size());
}

void OutsideBound::begin_outside() {
    outside_.assign(inside_.size(), kNone);
    const Span& whole = spans_[place(0, words_)];
    for (std::uint32_t i = whole.first; i < whole.last; ++i)
        if (table_->is_root(categories_[i])) outside_[i] = table_->root_score(categories_[i]);
}

bool OutsideBound::is_reached() const {
    const Span& whole = spans_[place(0, words_)];
    for (std::uint32_t i = whole.first; i < whole.last; ++i)
        if (table_->is_root(categories_[i]) && inside_[i] + table_->root_score(categories_[i]) > floor_) return true;
    return false;
}

// What the span's categories get from above is known: first what their unary parents hand down, then on to the children.
void OutsideBound::fill_outside(int start, int end) {
    const Span& span = spans_[place(start, end)];
    Score highest = kNone;
    for (std::uint32_t i = span.first; i < span.last; ++i)
        if (outside_[i] != kNone && inside_[i] + outside_[i] >= floor_) highest = std::max(highest, outside_[i]);
    if (highest == kNone) return;
    const Row* rows = &rows_[place(start, end) * blocks_];
    // Those of a category that the chart holds over the span; null for another.
    const auto above = [&](int category) -> const Score* {
        if (!(span.rows >> (category / 64 % 64) & 1)) return nullptr;
        const Row& row = rows[category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (category % 64);
        return row.bits & bit ? &outside_[row.first + rank(row, bit)] : nullptr;
    };
    for (bool better = may_change(start, end); better;) {
        better = false;
        for_each_block(span.rows, [&](int block) {
            for_each_bit(rows[block].bits & table_->unary_bits(block), [&](int bit) {
                const int category = block * 64 + bit;
                Score& own = outside_[rows[block].first + rank(rows[block], std::uint64_t{1} << bit)];
                for (const UnaryEntry* rule = table_->unary_begin(category); rule != table_->unary_end(category); ++rule) {
                    if (!may_build(rule->rule, start)) continue;
                    const Score* parent = above(rule->result);
                    if (!parent || *parent == kNone || own >= *parent - unary_cost_) continue;
                    own = *parent - unary_cost_;
                    better = true;
                }
            });
        });
    }
    const Score least = floor_ == kNone ? kNone : floor_ - highest;
    const auto hand_down = [&](std::uint32_t left, std::uint32_t right, int result) {
        const Score* parent = above(result);
        if (!parent || *parent == kNone) return;
        outside_[left] = std::max(outside_[left], *parent + inside_[right]);
        outside_[right] = std::max(outside_[right], *parent + inside_[left]);
    };
    if (span.holds_edges) {
        for (std::uint32_t i = span.first_edge; i < span.last_edge; ++i) {
            const Edge& edge = edges_[i];
            if (inside_[edge.left] + inside_[edge.right] >= least) hand_down(edge.left, edge.right, edge.result);
        }
    } else {
        for (int middle = start + 1; middle < end; ++middle) for_each_join(start, middle, end, least, hand_down);
    }
}

}  // namespace starccg
