// What a popped node of the agenda loop is combined into: over it, with its right and with its left neighbours.
#pragma once
#include "loop.hpp"

namespace starccg {

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::apply_unary(const Child& node) {
    const UnaryEntry* entry = table_.unary_begin(node.category);
    const UnaryEntry* end = table_.unary_end(node.category);
    if (entry == end) return;
    if (table_.max_unary_chain() > 0 && node.chain >= table_.max_unary_chain()) return;
    const std::uint32_t mask = table_.unary_allowed(node.rule) & builders(node.start);
    const std::uint8_t chain = node.chain < 63 ? node.chain + 1 : 63;
    for (; entry != end; ++entry)
        if (mask >> entry->rule & 1)
            push(node.inside - unary_cost_, node.start, node.end, entry->result, entry->rule, node.id, kNoItem, node.head, chain);
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
                hit(partner.first + count_bits(partner.bits & (lowest - 1)), word * 64 + std::countr_zero(hits));
            }
        }
    }
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::join_right(const Child& node, std::uint64_t summary) {
    const std::uint32_t may_build = builders(node.start);
    for_each_hit(table_.right_partners(node.category), w_.chart.starting_at(node.end), summary,
                 [&](std::uint32_t pair, int category) {
                     std::uint32_t other = w_.chart.first_starting(node.end, category);
                     for (; other != kNoItem; other = items_[other].next_start) join(node, child(other), pair, may_build);
                 });
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::join_left(const Child& node, std::uint64_t summary) {
    for_each_hit(table_.left_partners(node.category), w_.chart.ending_at(node.start), summary,
                 [&](std::uint32_t number, int category) {
                     const std::uint32_t pair = table_.pair_of_left(number);
                     std::uint32_t other = w_.chart.first_ending(node.start, category);
                     for (; other != kNoItem; other = items_[other].next_end) {
                         const Child left = child(other);
                         join(left, node, pair, builders(left.start));
                     }
                 });
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::join(const Child& left, const Child& right, std::uint32_t pair, std::uint32_t may_build) {
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
        // Most hyperedges of a factored model end here: looked up before anything is made of them.
        if (kDynamic && !records_edges_) {
            const std::uint64_t label = rule->label | static_cast<std::uint64_t>(head) << 52;
            if (w_.places.holds(span_signature(left.start, right.end) | label, inside)) continue;
        }
        push(inside, left.start, right.end, rule->result, rule->rule, left.id, right.id, head, 0);
    }
}

}  // namespace starccg
