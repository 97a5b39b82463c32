// The gold derivation beside a search (Algorithm 1): which items belong to it, which of them are on the agenda, and
// what the violations say.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "arena.hpp"
#include "chart.hpp"
#include "result.hpp"

namespace starccg {

class GoldGuide {
public:
    // Throws std::invalid_argument if the nodes are not a derivation over `words` words.
    void reset(const std::vector<Node>& gold, int words);

    // Whether the item's whole subtree matches the gold derivation. Asked once for each item, in order of age.
    bool is_gold(const Item& item, std::uint32_t id);
    bool is_gold_item(std::uint32_t id) const { return id < gold_of_.size() && gold_of_[id] >= 0; }
    bool is_gold_parse(std::uint32_t id) const { return gold_of_[id] == static_cast<std::int32_t>(gold_.size()) - 1; }

    void entered_agenda(std::uint32_t id) { on_agenda_.push_back(id); }
    void left_agenda(std::uint32_t id) {
        std::uint32_t* const place = std::find(on_agenda_.begin(), on_agenda_.end(), id);
        if (place == on_agenda_.end()) return;
        std::copy(place + 1, on_agenda_.end(), place);
        on_agenda_.pop_back();
    }
    const Arena<std::uint32_t>& on_agenda() const { return on_agenda_; }

    Arena<Violation> violations;

    // The coefficients of the three losses, and the nodes they speak of.
    void write(const Arena<Item>& items, Trace& trace);

private:
    Arena<Node> gold_;
    Arena<std::int32_t> gold_of_;  // per item: the gold node it is, or -1
    Arena<std::uint32_t> on_agenda_;
    Arena<std::int32_t> by_end_;  // gold nodes chained by the word they end at
    Arena<std::int32_t> next_;
    // Per item, when all is over: its coefficients, whether the trace needs it, and where it is there.
    Arena<std::int32_t> greedy_, largest_, all_, position_;
    Arena<std::uint8_t> needed_;
};

}  // namespace starccg
