// joins.hpp over the grid: all partners of one category at once.
#pragma once
#include "loop.hpp"

namespace starccg {

// Meets the partners on the right (`kSide` = starting: they start where the node ends) or on the left.
template <bool kDynamic, bool kScored>
template <Grid::Side kSide>
void Loop<kDynamic, kScored>::meet(const Child& node, std::uint64_t summary) {
    constexpr bool kRight = kSide == Grid::starting;
    const int meeting = kRight ? node.end : node.start, other_end = kRight ? node.start : node.end;
    const int length = node.end - node.start;
    // One class: what is allowed is the same for all partners.
    const std::uint32_t allowed = table_.allowed(node.rule, node.rule) & (kRight ? builders(node.start) : ~std::uint32_t{0});
    const Grid& grid = w_.grid;
    const auto hit = [&](std::uint32_t number, int category) {
        const std::uint32_t pair = kRight ? number : table_.pair_of_left(number);
        const std::uint32_t row = grid.row(kSide, meeting, category);
        for (const BinaryEntry *rule = table_.rules_begin(pair), *end = table_.rules_end(pair); rule != end; ++rule) {
            if (!(allowed >> rule->rule & 1)) continue;
            std::uint64_t present = grid.explored(row);
            if (!kRight && table_.start_only() >> rule->rule & 1) present &= std::uint64_t{1} << (meeting - 1);
            const std::uint32_t results = grid.row(kSide, other_end, rule->result);
            // What is explored had a priority no lower than this item's: nothing that comes of this one beats it.
            std::uint64_t better = present & ~(grid.explored(results) >> length);
            if (!better) continue;
            const Score *partners = grid.scores(row), *scores = grid.scores(results) + length;
            for (std::uint64_t rest = better & grid.held(results) >> length; rest; rest &= rest - 1) {
                const int at = std::countr_zero(rest);
                better ^= static_cast<std::uint64_t>(node.inside + partners[at] <= scores[at]) << at;
            }
            for (; better; better &= better - 1) {
                const int at = std::countr_zero(better);
                const std::uint32_t partner = grid.holder(kRight ? meeting : meeting - at - 1, category, at + 1);
                w_.better.push_back({node.inside + partners[at], rule, at + 1, partner});
            }
        }
        if (!w_.better.empty()) push_better<kRight>(node);
    };
    if (kRight)
        for_each_hit(table_.right_partners(node.category), w_.chart.starting_at(node.end), summary, hit);
    else
        for_each_hit(table_.left_partners(node.category), w_.chart.ending_at(node.start), summary, hit);
}

// Pushes what was found in the order that join_right and join_left go: the newest partner first, then by rule.
template <bool kDynamic, bool kScored>
template <bool kRight>
void Loop<kDynamic, kScored>::push_better(const Child& node) {
    Arena<Better>& better = w_.better;
    const auto comes_before = [this](const Better& a, const Better& b) {
        const std::uint32_t entered_a = items_[a.partner].next_start, entered_b = items_[b.partner].next_start;
        return entered_a != entered_b ? entered_a > entered_b : a.rule < b.rule;
    };
    // Few of them: insertion keeps it short, and rules of one partner in their order.
    for (std::size_t i = 1; i < better.size(); ++i)
        for (std::size_t j = i; j > 0 && comes_before(better[j], better[j - 1]); --j) std::swap(better[j], better[j - 1]);
    for (const Better& each : better) {
        const BinaryEntry& rule = *each.rule;
        if (kRight)
            put_on_grid(each.inside, node.start, node.end + each.length, rule.result, rule.rule, node.id, each.partner, 0, 0);
        else
            put_on_grid(each.inside, node.start - each.length, node.end, rule.result, rule.rule, each.partner, node.id, 0, 0);
    }
    better.clear();
}

template <bool kDynamic, bool kScored>
bool Loop<kDynamic, kScored>::put_on_grid(Score inside, int start, int end, int category, int rule, std::uint32_t left,
                                          std::uint32_t right, std::uint16_t head, std::uint8_t chain) {
    const auto id = static_cast<std::uint32_t>(items_.size());
    std::uint32_t before;
    if (!w_.grid.take(start, end, category, inside, id, before)) return false;
    if (before != kNoItem) items_[before].lost = 1;
    items_.push_back({inside, left, right, kNoItem, kNoItem, static_cast<std::uint16_t>(start),
                      static_cast<std::uint16_t>(end), static_cast<std::uint16_t>(category), head,
                      static_cast<std::uint8_t>(rule), chain, 1, 0});
    if (in_.events) note(EventKind::push, id);
    w_.agenda.push(inside + w_.tags.outside(start, end), end - start, id);
    return true;
}

}  // namespace starccg
