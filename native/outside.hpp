// A bound that knows the grammar: the best local score that the rest of a parse can add to a category over a span, when
// only categories and spans count (no normal form, no distance, no global scores). Each of these only takes away, so the
// bound holds; what no parse can use has none at all.
#pragma once
#include <cstdint>
#include <vector>

#include "arena.hpp"
#include "rule_table.hpp"
#include "sentence.hpp"

namespace starccg {

class OutsideBound {
public:
    static constexpr int kMaxWords = 100;  // longer sentences make do with the best tags

    // False if stop(), asked now and then, said so.
    template <class Stop>
    bool compute(const RuleTable& table, const TaggedWords& tags, Score unary_cost, Stop stop) {
        reset(table, tags);
        int asked = 0;
        for (int length = 1; length <= words_; ++length)
            for (int start = 0; start + length <= words_; ++start) {
                if (++asked % 64 == 0 && stop()) return false;
                fill_inside(table, tags, unary_cost, start, start + length);
            }
        begin_outside(table);
        for (int length = words_; length >= 1; --length)
            for (int start = 0; start + length <= words_; ++start) {
                if (++asked % 64 == 0 && stop()) return false;
                fill_outside(table, unary_cost, start, start + length);
            }
        return true;
    }

    // kNone: no complete parse has such a node.
    Score outside(int start, int end, int category) const {
        const Row& row = row_of(start, end)[category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (category % 64);
        return row.bits & bit ? outside_[row.first + rank(row, bit)] : kNone;
    }

    std::size_t bytes() const { return rows_.capacity() * sizeof(Row) + 2 * inside_.capacity() * sizeof(Score); }

private:
    // 64 categories over one span, and where the scores of the first of them that is there begin.
    struct Row {
        std::uint64_t bits;
        std::uint32_t first;
    };

    static int rank(const Row& row, std::uint64_t bit);
    const Row* row_of(int start, int end) const { return &rows_[(static_cast<std::size_t>(start) * (words_ + 1) + end) * blocks_]; }
    Row* row_of(int start, int end) { return &rows_[(static_cast<std::size_t>(start) * (words_ + 1) + end) * blocks_]; }

    void reset(const RuleTable& table, const TaggedWords& tags);
    void begin_outside(const RuleTable& table);
    // Calls join(place of left, place of right, result) for all that two neighbours make.
    template <class Join>
    void for_each_join(const RuleTable& table, int start, int middle, int end, Join join) const;
    void fill_inside(const RuleTable& table, const TaggedWords& tags, Score unary_cost, int start, int end);
    void fill_outside(const RuleTable& table, Score unary_cost, int start, int end);
    bool may_change(const RuleTable& table, int start, int end) const { return end - start < words_ || table.unary_at_root(); }

    int words_ = 0, blocks_ = 0;
    Arena<Row> rows_;
    Arena<Score> inside_, outside_;
    Arena<Score> best_;  // of the span at work, by category
    Arena<std::uint64_t> there_;
};

}  // namespace starccg
