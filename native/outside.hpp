// A bound that knows the grammar: the most that the rest of a parse can add to a category over a span, when only
// categories and spans count (no normal form, no distance). Each of these only takes away, so the bound holds.
//
// Two things keep it small and close:
// - A floor. The chart leaves out every category over a span whose inside score, with the best tags outside, does not exceed
//   the floor. A category that is left out, or that is in no parse above the floor, gets the outside score that brings it to
//   the floor. When the priorities of a search reach the floor, it asks for a lower one; the last one leaves out nothing.
// - What the search has explored. Inside scores begin as local scores, as if every global score were zero. Once all that
//   has a priority above the head's is explored, no subtree of category c over (i, j) that is not explored scores more than
//   head - h(i, j, c), so max(best explored, head - h) bounds all of them, global scores included (proof: docs/search.md).
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "arena.hpp"
#include "chart.hpp"
#include "deadline.hpp"
#include "rule_table.hpp"
#include "sentence.hpp"

namespace starccg {

struct NodeBound {
    Score inside, outside;
    // Of an item of this inside score, which may lack its own global score.
    Score priority(Score own) const { return std::min(own, inside) + outside; }
};

class OutsideBound {
public:
    // A longer sentence has the best tags for a bound: its chart would not fit in memory.
    static bool fits(const RuleTable& table, int words) {
        const std::size_t spans = static_cast<std::size_t>(words) * (words + 1) / 2;
        return spans * (sizeof(Span) + table.words_of_bits() * sizeof(Row)) <= kMostBytes;
    }

    // Prepares for another sentence; both arguments must outlive its search. There is no bound until a floor has been found.
    // `whole`: without a floor, so that the bound of an item never changes.
    void reset(const RuleTable& table, const TaggedWords& tags, Score unary_cost, bool whole);

    // Whether there is a bound, of the sentence that is searched now.
    bool is_filled() const { return is_filled_; }
    void forget() { is_filled_ = false; }

    // Lowers the floor to the first one that a parse reaches by the chart's scores, or removes it. False if the deadline came
    // first: a refined bound and its floor then stay as they were; any other is dropped.
    bool lower_floor(Deadline& deadline);

    // The bound above the same floor, from inside scores lowered to what the search has shown: `head` is no less than the
    // priority of anything not explored, and `explored` holds the items that are. False as above.
    bool refine(Score head, const Chart& explored, const Arena<Item>& items, Deadline& deadline);

    // Priorities above it bound the parses that an item is part of; the parses of all other items score at most this. kNone: it
    // is the former for all.
    Score floor() const { return chart_.floor; }
    // Whether inside scores hold what the search has shown.
    bool is_refined() const { return is_refined_; }

    // What is known of a category over a span: no subtree scores more than `inside`, and none gets more from the rest of a
    // parse than `outside`; there kNone: no complete parse has such a node.
    NodeBound of(int start, int end, int category) const {
        const std::uint32_t at = chart_.find(place(start, end), category);
        if (at != kNowhere) return {chart_.inside[at], chart_.outside[at]};
        if (chart_.floor == kNone) return {kNone, kNone};
        const Score around = tags_->outside(start, end);
        return {chart_.floor - around, around};
    }

    // The same, also for nodes that are in no parse above the floor; it may be less close.
    NodeBound guess(int start, int end, int category) const {
        const std::uint32_t at = is_refined_ ? base_.find(place(start, end), category) : kNowhere;
        return at == kNowhere ? of(start, end, category) : NodeBound{base_.inside[at], base_.outside[at]};
    }

    std::size_t bytes() const { return chart_.bytes() + before_.bytes() + base_.bytes() + edges_.capacity() * sizeof(Edge); }

private:
    static constexpr Score kFirstDepth = 3 << 20, kLastDepth = 32 << 20;  // below the best tags, on the grid
    static constexpr Score kSmallStep = 4;  // a quarter: a refined search falls slowly, and a chart costs what it holds
    static constexpr std::size_t kDense = 32;  // categories per span: after such a chart, the last floor
    static constexpr std::size_t kMostBytes = std::size_t{512} << 20;
    static constexpr std::uint32_t kNowhere = 0xffffffffu;

    // 64 categories over one span, and where the scores of the first of them that is there begin.
    struct Row {
        std::uint64_t bits;
        std::uint32_t first;
    };
    struct Span {
        std::uint64_t rows;         // bit w: row w (mod 64) may hold something; no other row is written
        Score best;                 // of the inside scores
        std::uint32_t first_row;
        std::uint32_t first, last;  // its categories and scores
        std::uint32_t first_edge, last_edge;
        bool holds_edges;
    };
    // A way to build a node: its children, and its category over their span. Kept from the way up for the way down.
    struct Edge {
        std::uint32_t left, right;
        std::uint16_t result;
    };
    static constexpr std::size_t kMostEdges = std::size_t{1} << 20;  // edges beyond that are computed again

    // What is known of the categories over each span; spans that hold none have no rows.
    struct SpanChart {
        Score floor = kNone;
        Arena<Span> spans;
        Arena<Row> rows;
        Arena<std::uint16_t> categories;
        Arena<Score> inside, outside;

        std::uint32_t find(std::size_t place, int category) const {
            const Span& span = spans[place];
            if (!(span.rows >> (category / 64 % 64) & 1)) return kNowhere;
            const Row& row = rows[span.first_row + category / 64];
            const std::uint64_t bit = std::uint64_t{1} << (category % 64);
            return row.bits & bit ? row.first + rank(row, bit) : kNowhere;
        }
        void copy(const SpanChart& other);
        std::size_t bytes() const {
            return rows.capacity() * sizeof(Row) + spans.capacity() * sizeof(Span) +
                   inside.capacity() * (2 * sizeof(Score) + sizeof(std::uint16_t));
        }
    };

    static int rank(const Row& row, std::uint64_t bit) { return count_bits(row.bits & (bit - 1)); }
    // Spans by start, then by end.
    std::size_t place(int start, int end) const { return first_place_[start] + static_cast<std::size_t>(end); }
    bool may_build(int rule, int start) const { return table_->builders(start) >> rule & 1; }
    bool may_change(int start, int end) const { return end - start < words_ || table_->unary_at_root(); }
    void change_charts() { std::swap(chart_, before_), are_changed_ = !are_changed_; }
    // Whether the node at this place of a chart is in a parse above its floor, as far as its bounds say.
    static bool is_above_floor(const SpanChart& chart, std::uint32_t at) {
        return chart.outside[at] != kNone && (chart.floor == kNone || chart.inside[at] + chart.outside[at] > chart.floor);
    }
    bool is_reached() const;
    // False if the deadline came first.
    bool fill_inside(PeriodicCheck& check);
    bool fill_outside(PeriodicCheck& check);
    void fill_inside(int start, int end);
    void fill_outside(int start, int end);
    void set_caps(int start, int end);
    void keep_refined();
    // Calls each(block) for the blocks that a span's rows may hold something of.
    template <class Each>
    void for_each_block(std::uint64_t rows, Each each) const;
    // Calls join(left, right, result) for all that two neighbours make of `least` or more: two places, and a category.
    template <class Join>
    void for_each_join(int start, int middle, int end, Score least, Join join) const;

    const RuleTable* table_ = nullptr;
    const TaggedWords* tags_ = nullptr;
    Score unary_cost_ = 0, depth_ = 0;
    int words_ = 0, blocks_ = 0;
    bool whole_ = false, is_refined_ = false, is_filled_ = false, are_changed_ = false;
    SpanChart chart_, before_;  // before_: the one that this one replaced
    SpanChart base_;  // once refined: all nodes above the floor, with the least that is known of their inside scores
    Arena<std::size_t> first_place_;
    Arena<Edge> edges_;
    Arena<Score> explored_;  // the best explored, by place in the chart
    Arena<Score> best_, cap_;  // of the span at work, by category
    Arena<std::uint64_t> there_;
};

}  // namespace starccg
