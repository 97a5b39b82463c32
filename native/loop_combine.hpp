// What the agenda loop builds from a popped node: unary nodes over it, and binary nodes with its neighbours.
#pragma once
#include "loop.hpp"

namespace starccg {

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::apply_unary(const Child& node) {
    const std::uint32_t mask = table_.unary_mask(node.rule, node.chain) & table_.builders(node.start);
    for (const UnaryEntry& rule : table_.unary_rules(node.category))
        if (mask >> rule.rule & 1) push(unary_item(node, rule, unary_cost_));
}

// Calls hit(number of the pair, category) for each category that is present and a partner, in order of category.
template <bool kDynamic, bool kScored>
template <class Hit>
[[gnu::always_inline]] inline void Loop<kDynamic, kScored>::for_each_hit(const PartnerBits* partners,
                                                                         const std::uint64_t* present,
                                                                         std::uint64_t summary, Hit hit) {
    const int words = table_.words_of_bits();
    for (int block = 0; block < words; block += 64) {
        for (std::uint64_t rest = summary; rest; rest &= rest - 1) {
            const int word = block + std::countr_zero(rest);
            if (word >= words) break;
            const PartnerBits& partner = partners[word];
            for (std::uint64_t hits = partner.bits & present[word]; hits; hits &= hits - 1) {
                const std::uint64_t lowest = hits & (0 - hits);
                hit(partner.number_of(lowest), word * 64 + std::countr_zero(hits));
            }
        }
    }
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::combine_right(const Child& node, std::uint64_t summary) {
    const std::uint32_t may_build = table_.builders(node.start);
    for_each_hit(table_.right_partners(node.category), w_.chart.starting_at(node.end), summary,
                 [&](std::uint32_t pair, int category) {
                     std::uint32_t other = w_.chart.first_starting(node.end, category);
                     for (; other != kNoItem; other = items_[other].next_start) combine(node, child(other), pair, may_build);
                 });
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::combine_left(const Child& node, std::uint64_t summary) {
    for_each_hit(table_.left_partners(node.category), w_.chart.ending_at(node.start), summary,
                 [&](std::uint32_t number, int category) {
                     const std::uint32_t pair = table_.pair_of_left(number);
                     std::uint32_t other = w_.chart.first_ending(node.start, category);
                     for (; other != kNoItem; other = items_[other].next_end) {
                         const Child left = child(other);
                         combine(left, node, pair, table_.builders(left.start));
                     }
                 });
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::combine(const Child& left, const Child& right, std::uint32_t pair, std::uint32_t may_build) {
    const std::uint32_t mask = table_.allowed(left.rule, right.rule) & may_build;
    for (const BinaryEntry& rule : table_.rules(pair)) {
        if (!(mask >> rule.rule & 1)) continue;
        const Item made = binary_item(left, right, rule, distance_cost_);
        // Most hyperedges of a factored model are dropped here, before an item is kept.
        if (kDynamic && !records_edges_) {
            const std::uint64_t label = rule.label | static_cast<std::uint64_t>(distance_cost_ > 0 ? made.head : 0) << 52;
            if (w_.places.holds(span_signature(made.start, made.end) | label, made.inside)) continue;
        }
        push(made);
    }
}

}  // namespace starccg
