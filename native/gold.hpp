// The gold derivation beside a search (Algorithm 1): which items belong to it, which of them are on the agenda, and
// what the violations say.
#pragma once
#include <cstdint>
#include <vector>

#include "search.hpp"

namespace starccg {

class GoldGuide {
public:
    // Throws std::invalid_argument if the nodes are not a derivation over `words` words.
    GoldGuide(const std::vector<Node>& gold, int words);

    // Whether the item's whole subtree matches the gold derivation. Asked once for each item, in order of age.
    bool is_gold(const Item& item, std::uint32_t id);
    bool is_gold_item(std::uint32_t id) const { return id < gold_of_.size() && gold_of_[id] >= 0; }
    bool is_gold_parse(std::uint32_t id) const { return gold_of_[id] == static_cast<std::int32_t>(gold_.size()) - 1; }

    void entered_agenda(std::uint32_t id) { on_agenda_.push_back(id); }
    void left_agenda(std::uint32_t id) { std::erase(on_agenda_, id); }
    const std::vector<std::uint32_t>& on_agenda() const { return on_agenda_; }

    std::vector<Violation> violations;

    // The coefficients of the three losses, and the nodes they speak of.
    void write(const std::vector<Item>& items, Trace& trace) const;

private:
    std::vector<Node> gold_;
    std::vector<std::int32_t> gold_of_;  // per item: the gold node it is, or -1
    std::vector<std::uint32_t> on_agenda_;
    std::vector<std::int32_t> by_end_;  // gold nodes chained by the word they end at
    std::vector<std::int32_t> next_;
};

}  // namespace starccg
