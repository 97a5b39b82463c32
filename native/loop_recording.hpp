// What the agenda loop records: violations of the gold derivation, and every push and pop.
#pragma once
#include "loop.hpp"

namespace starccg {

// Records a violation if the popped item is better than every gold item that was on the agenda with it; with `ties`,
// if it is not gold, since then it is no worse than any of them. True: the popped item is the gold parse.
template <bool kDynamic, bool kScored>
bool Loop<kDynamic, kScored>::meets_gold(std::uint32_t id) {
    GoldGuide& gold = *in_.gold;
    std::uint32_t best = kNoItem;
    for (const std::uint32_t other : gold.on_agenda()) {
        if (best == kNoItem) {
            best = other;
            continue;
        }
        const Item &a = items_[other], &b = items_[best];
        const Score pa = gold_priority(a), pb = gold_priority(b);
        if (pa != pb ? pa > pb : a.length() != b.length() ? a.length() > b.length() : other < best) best = other;
    }
    const Item& item = items_[id];
    const Score value = gold_priority(item) - gold_priority(items_[best]);
    // The gold derivation may have a node over the whole sentence that is not its root: as a parse that one is wrong.
    const bool is_gold = item.goal ? gold.is_gold_parse(id) : gold.is_gold_item(id);
    if (value > 0 || (in_.options.ties && !is_gold)) gold.violations.push_back({value, id, best});
    if (!is_gold) return false;
    gold.left_agenda(id);
    if (!gold.is_gold_parse(id) || (!item.goal && goes_back(item.category))) return false;
    if (!item.goal) ++in_.explored;
    return true;
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::record(EventKind kind, std::uint32_t id) {
    const Item& item = items_[id];
    Score local, global;
    split_score(w_, in_.options, item, local, global);
    const Score root = score_of(item) - item.inside;
    in_.events->push_back({.kind = kind, .item = id, .rule = item.rule, .category = item.category, .start = item.start,
                           .end = item.end, .left = item.is_leaf() ? -1 : static_cast<std::int32_t>(item.left),
                           .right = item.is_binary() ? static_cast<std::int32_t>(item.right) : -1, .inside = item.inside + root,
                           .outside = item.goal ? 0 : outside(item), .local = local + root, .global = global});
}

}  // namespace starccg
