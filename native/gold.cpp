#include "gold.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace starccg {

void GoldGuide::reset(const std::vector<Node>& gold, int words) {
    gold_.clear();
    for (const Node& node : gold) gold_.push_back(node);
    Arena<std::uint8_t>& has_parent = needed_;
    has_parent.assign(gold.size(), 0);
    by_end_.assign(words + 1, -1);
    next_.assign(gold.size(), -1);
    gold_of_.clear();
    on_agenda_.clear();
    violations.clear();
    const auto refuse = [](std::size_t i, const char* what) {
        throw std::invalid_argument("gold derivation, node " + std::to_string(i) + ": " + what);
    };
    if (gold.empty()) throw std::invalid_argument("gold derivation: it has no nodes");
    for (std::size_t i = 0; i < gold.size(); ++i) {
        const Node& node = gold[i];
        const auto at = static_cast<std::int32_t>(i);
        if (node.start < 0 || node.end > words || node.start >= node.end) refuse(i, "its span is not in the sentence");
        if (node.left >= at || node.right >= at || node.left < -1 || node.right < -1)
            refuse(i, "children must come before parents");
        if (node.left < 0 && (node.right >= 0 || node.end != node.start + 1)) refuse(i, "a leaf must cover exactly one word");
        if (node.left >= 0) {
            const Node& left = gold[node.left];
            const int middle = node.right < 0 ? node.end : gold[node.right].start;
            const int end = node.right < 0 ? left.end : gold[node.right].end;
            if (left.start != node.start || left.end != middle || end != node.end)
                refuse(i, "its children do not cover its span");
            for (const std::int32_t child : {node.left, node.right}) {
                if (child < 0) continue;
                if (has_parent[child]) refuse(static_cast<std::size_t>(child), "it has two parents");
                has_parent[child] = 1;
            }
        }
        next_[i] = by_end_[node.end];
        by_end_[node.end] = at;
    }
    if (gold.back().start != 0 || gold.back().end != words)
        throw std::invalid_argument("gold derivation: the last node must cover the sentence");
    for (std::size_t i = 0; i + 1 < gold.size(); ++i)
        if (!has_parent[i]) refuse(i, "it has no parent");
}

bool GoldGuide::is_gold(const Item& item, std::uint32_t id) {
    if (gold_of_.size() <= id) gold_of_.resize(id + 1);  // asked in order of age: each is set at once
    gold_of_[id] = -1;
    const std::int32_t left = item.is_leaf() ? -1 : gold_of_[item.left];
    const std::int32_t right = item.is_binary() ? gold_of_[item.right] : -1;
    if (!item.is_leaf() && (left < 0 || (!item.is_unary() && right < 0))) return false;
    for (std::int32_t i = by_end_[item.end]; i >= 0; i = next_[i]) {
        const Node& node = gold_[i];
        if (node.start == item.start && node.rule == item.rule && node.category == item.category && node.left == left &&
            node.right == right) {
            gold_of_[id] = i;
            return true;
        }
    }
    return false;
}

void GoldGuide::write(const Arena<Item>& items, Trace& trace) {
    for (std::vector<std::int32_t>* column : {&trace.rules, &trace.categories, &trace.lefts, &trace.rights, &trace.starts,
                                              &trace.ends, &trace.greedy, &trace.max, &trace.all})
        column->clear();
    trace.violations.clear();
    for (Arena<std::int32_t>* each : {&greedy_, &largest_, &all_, &position_}) each->assign(items.size(), 0);
    needed_.assign(items.size(), 0);
    const Violation* max = nullptr;
    for (const Violation& violation : violations) {
        trace.violations.push_back(violation.value);
        ++all_[violation.top], --all_[violation.gold];
        if (!max || violation.value > max->value) max = &violation;
    }
    if (max) {
        ++greedy_[violations[0].top], --greedy_[violations[0].gold];
        ++largest_[max->top], --largest_[max->gold];
    }
    // A path holds all nodes below its head, and children are older than parents: one pass from the youngest down.
    for (std::size_t i = items.size(); i-- > 0;) {
        const Item& item = items[i];
        needed_[i] |= greedy_[i] || largest_[i] || all_[i];
        if (item.is_leaf()) continue;
        for (const std::uint32_t child : {item.left, item.right}) {
            if (child == kNoItem) continue;
            greedy_[child] += greedy_[i], largest_[child] += largest_[i], all_[child] += all_[i];
            needed_[child] |= needed_[i];
        }
    }
    std::int32_t count = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!needed_[i]) continue;
        position_[i] = count++;
        const Item& item = items[i];
        trace.rules.push_back(item.rule), trace.categories.push_back(item.category);
        trace.lefts.push_back(item.is_leaf() ? -1 : position_[item.left]);
        trace.rights.push_back(item.is_binary() ? position_[item.right] : -1);
        trace.starts.push_back(item.start), trace.ends.push_back(item.end);
        trace.greedy.push_back(greedy_[i]), trace.max.push_back(largest_[i]), trace.all.push_back(all_[i]);
    }
}

}  // namespace starccg
