// A bound that knows the grammar: the best local score that the rest of a parse can add to a category over a span, when
// only categories and spans count (no normal form, no distance, no global scores). Each of these only takes away, so the
// bound holds.
//
// Only parses above a floor are looked at: what its inside score and the best tags outside cannot lift above it stays out
// of the chart. What is left out, or has no such parse, is given what brings it to the floor at most, which is still no less
// than the truth and never rises from child to parent. A search that falls to the floor asks for a lower one; the last holds
// everything.
#pragma once
#include <algorithm>
#include <cstdint>

#include "arena.hpp"
#include "chart.hpp"
#include "rule_table.hpp"
#include "sentence.hpp"

namespace starccg {

class OutsideBound {
public:
    static constexpr int kMaxWords = 100;  // longer sentences make do with the best tags

    // For another sentence; both must outlive its search. There is no bound until a floor has been found. `whole`: there is
    // to be no floor, so that the bound of an item never changes.
    void reset(const RuleTable& table, const TaggedWords& tags, Score unary_cost, bool whole);

    // A lower floor, the first that a parse by the tags alone reaches, or none at all. False if stop(), asked now and then,
    // said so: the bound is gone then.
    template <class StopAsked>
    bool lower_floor(StopAsked stop) {
        for (;;) {
            const bool is_dense = depth_ > 0 && inside_.size() > kDense * static_cast<std::size_t>(words_) * (words_ + 1) / 2;
            depth_ = depth_ == 0 ? kFirstDepth : depth_ + depth_ / 2;
            floor_ = depth_ < kLastDepth && !is_dense && !whole_ ? tags_->best() - depth_ : kNone;
            if (!fill_inside(stop)) return false;
            if (floor_ == kNone || is_reached()) return fill_outside(stop);
        }
    }

    // Priorities above it are those of the true bound, and no other is above it; kNone: all are.
    Score floor() const { return floor_; }

    // kNone: no complete parse has such a node.
    Score outside(int start, int end, int category) const {
        const Span& span = spans_[place(start, end)];
        if (span.rows >> (category / 64 % 64) & 1) {
            const Row& row = rows_[place(start, end) * blocks_ + category / 64];
            const std::uint64_t bit = std::uint64_t{1} << (category % 64);
            if (row.bits & bit) return outside_[row.first + rank(row, bit)];
        }
        return floor_ == kNone ? kNone : tags_->outside(start, end);
    }

    std::size_t bytes() const {
        return rows_.capacity() * sizeof(Row) + spans_.capacity() * sizeof(Span) + edges_.capacity() * sizeof(Edge) +
               inside_.capacity() * (2 * sizeof(Score) + sizeof(std::uint16_t));
    }

private:
    static constexpr Score kFirstDepth = 3 << 20, kLastDepth = 32 << 20;  // below the best tags, on the grid
    static constexpr std::size_t kDense = 32;  // categories a span: after such a chart there is little left to put off

    // 64 categories over one span, and where the scores of the first of them that is there begin.
    struct Row {
        std::uint64_t bits;
        std::uint32_t first;
    };
    struct Span {
        std::uint64_t rows;         // bit w: row w (mod 64) may hold something; no other row is written
        Score best;                 // of the inside scores
        std::uint32_t first, last;  // its categories and scores
        std::uint32_t first_edge, last_edge;
        bool holds_edges;
    };
    // A way to build a node: its children, and its category over their span. Kept from the way up for the way down.
    struct Edge {
        std::uint32_t left, right;
        std::uint16_t result;
    };
    static constexpr std::size_t kMostEdges = std::size_t{1} << 20;  // what they do not hold is found once more

    template <class StopAsked>
    bool fill_inside(StopAsked stop) {
        inside_.clear();
        categories_.clear();
        edges_.clear();
        int asked = 0;
        for (int length = 1; length <= words_; ++length)
            for (int start = 0; start + length <= words_; ++start) {
                if (++asked % 64 == 0 && stop()) return false;
                fill_inside(start, start + length);
            }
        return true;
    }

    template <class StopAsked>
    bool fill_outside(StopAsked stop) {
        begin_outside();
        int asked = 0;
        for (int length = words_; length >= 1; --length)
            for (int start = 0; start + length <= words_; ++start) {
                if (++asked % 64 == 0 && stop()) return false;
                fill_outside(start, start + length);
            }
        if (floor_ != kNone)
            for (std::size_t i = 0; i < outside_.size(); ++i) outside_[i] = std::max(outside_[i], floor_ - inside_[i]);
        return true;
    }

    static int rank(const Row& row, std::uint64_t bit) { return count_bits(row.bits & (bit - 1)); }
    std::size_t place(int start, int end) const { return static_cast<std::size_t>(start) * (words_ + 1) + end; }
    bool may_build(int rule, int start) const { return start == 0 || !(table_->start_only() >> rule & 1); }
    bool may_change(int start, int end) const { return end - start < words_ || table_->unary_at_root(); }
    bool is_reached() const;
    void fill_inside(int start, int end);
    void fill_outside(int start, int end);
    void begin_outside();
    // Calls each(block) for the blocks that a span's rows may hold something of.
    template <class Each>
    void for_each_block(std::uint64_t rows, Each each) const;
    // Calls join(left, right, result) for all that two neighbours make of `least` or more: two places, and a category.
    template <class Join>
    void for_each_join(int start, int middle, int end, Score least, Join join) const;

    const RuleTable* table_ = nullptr;
    const TaggedWords* tags_ = nullptr;
    Score unary_cost_ = 0, depth_ = 0, floor_ = kNone;
    int words_ = 0, blocks_ = 0;
    bool whole_ = false;
    Arena<Row> rows_;
    Arena<Span> spans_;
    Arena<Edge> edges_;
    Arena<std::uint16_t> categories_;
    Arena<Score> inside_, outside_;
    Arena<Score> best_;  // of the span at work, by category
    Arena<std::uint64_t> there_;
};

}  // namespace starccg
