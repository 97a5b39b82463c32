// What the agenda loop builds from a popped node: unary nodes over it, and binary nodes with its neighbours.
#pragma once
#include "loop.hpp"

namespace starccg {

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::apply_unary(const Child& node) {
    const UnaryEntry* entry = table_.unary_begin(node.category);
    const UnaryEntry* end = table_.unary_end(node.category);
    if (entry == end) return;
    if (table_.max_unary_chain() > 0 && node.chain >= table_.max_unary_chain()) return;
    const std::uint32_t mask = table_.unary_allowed(node.rule) & table_.builders(node.start);
    const std::uint8_t chain = longer_chain(node.chain);
    for (; entry != end; ++entry)
        if (mask >> entry->rule & 1)
            push({.inside = node.inside - unary_cost_, .left = node.id, .right = kNoItem, .start = node.start, .end = node.end,
                  .category = entry->result, .head = node.head, .rule = entry->rule, .chain = chain});
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
    const Score children = left.inside + right.inside;
    for (const BinaryEntry *rule = table_.rules_begin(pair), *end = table_.rules_end(pair); rule != end; ++rule) {
        if (!(mask >> rule->rule & 1)) continue;
        Score inside = children;
        std::uint16_t head = 0;
        if (distance_cost_ > 0) {
            inside -= distance_cost_ * std::abs(left.head - right.head);
            head = rule->head ? right.head : left.head;
        }
        // Most hyperedges of a factored model are dropped here, before an item is made.
        if (kDynamic && !records_edges_) {
            const std::uint64_t label = rule->label | static_cast<std::uint64_t>(head) << 52;
            if (w_.places.holds(span_signature(left.start, right.end) | label, inside)) continue;
        }
        push({.inside = inside, .left = left.id, .right = right.id, .start = left.start, .end = right.end,
              .category = rule->result, .head = head, .rule = rule->rule});
    }
}

}  // namespace starccg
