#include "outside.hpp"

#include <algorithm>
#include <bit>

#include "chart.hpp"

namespace starccg {
namespace {

template <class Each>
void for_each_bit(std::uint64_t bits, Each each) {
    for (; bits; bits &= bits - 1) each(std::countr_zero(bits));
}

bool may_build(const RuleTable& table, int rule, int start) { return start == 0 || !(table.start_only() >> rule & 1); }

}  // namespace

int OutsideBound::rank(const Row& row, std::uint64_t bit) { return count_bits(row.bits & (bit - 1)); }

template <class Join>
void OutsideBound::for_each_join(const RuleTable& table, int start, int middle, int end, Join join) const {
    const Row *lefts = row_of(start, middle), *rights = row_of(middle, end);
    for (int block = 0; block < blocks_; ++block) {
        std::uint32_t left = lefts[block].first;
        for_each_bit(lefts[block].bits, [&](int bit) {
            const int category = block * 64 + bit;
            const PartnerBits* partners = table.right_partners(category);
            for_each_bit(table.right_summary(category), [&](int summary) {
                for (int word = summary; word < blocks_; word += 64) {
                    const PartnerBits& partner = partners[word];
                    for (std::uint64_t hits = partner.bits & rights[word].bits; hits; hits &= hits - 1) {
                        const std::uint64_t lowest = hits & (0 - hits);
                        const std::uint32_t right = rights[word].first + rank(rights[word], lowest);
                        const std::uint32_t pair = partner.first + count_bits(partner.bits & (lowest - 1));
                        for (const BinaryEntry* rule = table.rules_begin(pair); rule != table.rules_end(pair); ++rule)
                            if (may_build(table, rule->rule, start)) join(left, right, rule->result);
                    }
                }
            });
            ++left;
        });
    }
}

void OutsideBound::fill_inside(const RuleTable& table, const TaggedWords& tags, Score unary_cost, int start, int end) {
    std::fill(there_.begin(), there_.end(), 0);
    const auto offer = [&](int category, Score score) {
        std::uint64_t& word = there_[category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (category % 64);
        if (word & bit && best_[category] >= score) return false;
        word |= bit;
        best_[category] = score;
        return true;
    };
    if (end == start + 1)
        for (int i = 0; i < tags.tags(start); ++i) offer(tags.tag(start, i).category, tags.tag(start, i).score);
    for (int middle = start + 1; middle < end; ++middle)
        for_each_join(table, start, middle, end, [&](std::uint32_t left, std::uint32_t right, int result) {
            offer(result, inside_[left] + inside_[right]);
        });
    // Unary rules cost something or nothing: this ends when no chain makes anything better.
    for (bool better = may_change(table, start, end); better;) {
        better = false;
        for (int block = 0; block < blocks_; ++block)
            for_each_bit(there_[block], [&](int bit) {
                const int category = block * 64 + bit;
                for (const UnaryEntry* rule = table.unary_begin(category); rule != table.unary_end(category); ++rule)
                    if (may_build(table, rule->rule, start)) better |= offer(rule->result, best_[category] - unary_cost);
            });
    }
    Row* rows = row_of(start, end);
    for (int block = 0; block < blocks_; ++block) {
        rows[block] = {there_[block], static_cast<std::uint32_t>(inside_.size())};
        for_each_bit(there_[block], [&](int bit) { inside_.push_back(best_[block * 64 + bit]); });
    }
}

// What the span's categories get from above is known: first what their unary parents hand down, then on to the children.
void OutsideBound::fill_outside(const RuleTable& table, Score unary_cost, int start, int end) {
    const Row* rows = row_of(start, end);
    const auto place = [&](int category) {
        return rows[category / 64].first + rank(rows[category / 64], std::uint64_t{1} << (category % 64));
    };
    for (bool better = may_change(table, start, end); better;) {
        better = false;
        for (int block = 0; block < blocks_; ++block)
            for_each_bit(rows[block].bits, [&](int bit) {
                const int category = block * 64 + bit;
                for (const UnaryEntry* rule = table.unary_begin(category); rule != table.unary_end(category); ++rule) {
                    if (!may_build(table, rule->rule, start)) continue;
                    const Score above = outside_[place(rule->result)];
                    if (above == kNone || outside_[place(category)] >= above - unary_cost) continue;
                    outside_[place(category)] = above - unary_cost;
                    better = true;
                }
            });
    }
    for (int middle = start + 1; middle < end; ++middle)
        for_each_join(table, start, middle, end, [&](std::uint32_t left, std::uint32_t right, int result) {
            const Score above = outside_[place(result)];
            if (above == kNone) return;
            outside_[left] = std::max(outside_[left], above + inside_[right]);
            outside_[right] = std::max(outside_[right], above + inside_[left]);
        });
}

void OutsideBound::reset(const RuleTable& table, const TaggedWords& tags) {
    words_ = tags.words();
    blocks_ = table.words_of_bits();
    rows_.resize(static_cast<std::size_t>(words_) * (words_ + 1) * blocks_);
    there_.resize(blocks_);
    best_.resize(table.categories());
    inside_.clear();
}

void OutsideBound::begin_outside(const RuleTable& table) {
    outside_.assign(inside_.size(), kNone);
    const Row* whole = row_of(0, words_);
    for (int block = 0; block < blocks_; ++block) {
        std::uint32_t place = whole[block].first;
        for_each_bit(whole[block].bits, [&](int bit) {
            if (table.is_root(block * 64 + bit)) outside_[place] = table.root_score(block * 64 + bit);
            ++place;
        });
    }
}

}  // namespace starccg
