// Items, the chart or forest that they enter when popped, and the places of dynamic programming, one for each signature.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "arena.hpp"
#include "rule_table.hpp"
#include "score.hpp"
#include "sentence.hpp"

namespace starccg {

inline constexpr std::uint32_t kNoItem = 0xffffffffu;

inline constexpr std::int64_t kMostItems = 0xf0000000 - (1 << 24);  // numbered with 32 bits, with room for one pop's pushes

// A hyperedge with the node at its head. Its number is its age.
struct Item {
    Score inside;
    std::uint32_t left;        // kNoItem: a leaf
    std::uint32_t right;       // kNoItem: unary; of a leaf the rank of its tag
    std::uint32_t next_start = kNoItem;  // the item that entered the chart before it with the same start and category
    std::uint32_t next_end = kNoItem;    // the same for its end
    std::uint16_t start, end;
    std::uint16_t category;
    std::uint16_t head;  // the head word; kept only if distance costs
    std::uint8_t rule;
    std::uint8_t chain = 0;   // unary rules above the last node that is not unary
    std::uint8_t scored = 0;  // its global score is in `inside`
    std::uint8_t lost = 0;    // its place is held by a better one
    std::uint8_t goal = 0;  // a complete parse, back on the agenda with its root score

    bool is_leaf() const { return left == kNoItem; }
    bool is_unary() const { return left != kNoItem && right == kNoItem; }
    bool is_binary() const { return left != kNoItem && right != kNoItem; }
    int length() const { return end - start; }
};

inline Item leaf_item(int word, int rank, const Tag& tag) {
    const auto start = static_cast<std::uint16_t>(word);
    return {.inside = tag.score, .left = kNoItem, .right = static_cast<std::uint32_t>(rank), .start = start,
            .end = static_cast<std::uint16_t>(word + 1), .category = static_cast<std::uint16_t>(tag.category), .head = start,
            .rule = kLexicon};
}

// A node that another is built from: a copy, since pushes move the items.
struct Child : Item {
    std::uint32_t id;
};

inline Item unary_item(const Child& child, const UnaryEntry& rule, Score cost) {
    return {.inside = child.inside - cost, .left = child.id, .right = kNoItem, .start = child.start, .end = child.end,
            .category = rule.result, .head = child.head, .rule = rule.rule,
            .chain = static_cast<std::uint8_t>(child.chain < 63 ? child.chain + 1 : 63)};  // a signature has 6 bits for it
}

inline Item binary_item(const Child& left, const Child& right, const BinaryEntry& rule, Score distance_cost) {
    return {.inside = left.inside + right.inside - distance_cost * std::abs(left.head - right.head), .left = left.id,
            .right = right.id, .start = left.start, .end = right.end, .category = rule.result,
            .head = rule.head ? right.head : left.head, .rule = rule.rule};
}

// Calls made(item) for all that unary rules build over a node.
template <class Made>
void for_each_unary(const RuleTable& table, const Child& child, Score cost, Made made) {
    const std::uint32_t mask = table.unary_mask(child.rule, child.chain) & table.builders(child.start);
    for (const UnaryEntry& rule : table.unary_rules(child.category))
        if (mask >> rule.rule & 1) made(unary_item(child, rule, cost));
}

// Calls made(item, rule) for all that the binary rules of a pair build of two neighbours.
template <class Made>
[[gnu::always_inline]] inline void for_each_binary(const RuleTable& table, const Child& left, const Child& right,
                                                   std::uint32_t pair, Score distance_cost, Made made) {
    const std::uint32_t mask = table.allowed(left.rule, right.rule) & table.builders(left.start);
    for (const BinaryEntry& rule : table.rules(pair))
        if (mask >> rule.rule & 1) made(binary_item(left, right, rule, distance_cost), rule);
}

// The explored nodes, found by where they start or end and by category.
class Chart {
public:
    void reset(int words, int categories, int words_of_bits) {
        categories_ = categories;
        words_of_bits_ = words_of_bits;
        const std::size_t bits = static_cast<std::size_t>(words + 1) * words_of_bits;
        starting_.assign(bits, 0);
        ending_.assign(bits, 0);
        starting_summary_.assign(words + 1, 0);
        ending_summary_.assign(words + 1, 0);
        // The first items are read only where a bit is set, so they need no clearing.
        const std::size_t heads = static_cast<std::size_t>(words + 1) * categories;
        if (first_starting_.size() < heads) first_starting_.resize(heads), first_ending_.resize(heads);
    }

    const std::uint64_t* starting_at(int position) const { return &starting_[position * words_of_bits_]; }
    const std::uint64_t* ending_at(int position) const { return &ending_[position * words_of_bits_]; }
    std::uint64_t starting_summary(int position) const { return starting_summary_[position]; }
    std::uint64_t ending_summary(int position) const { return ending_summary_[position]; }
    std::uint32_t first_starting(int position, int category) const { return first_starting_[at(position, category)]; }
    std::uint32_t first_ending(int position, int category) const { return first_ending_[at(position, category)]; }

    // Calls each(id) with the newest of the nodes that start at one position and have one category, for all of these; the
    // others follow by next_start.
    template <class Each>
    void for_each_start(Each each) const {
        for (std::size_t at = 0; at < starting_.size(); ++at)
            for (std::uint64_t rest = starting_[at]; rest; rest &= rest - 1)
                each(first_starting(static_cast<int>(at) / words_of_bits_,
                                    static_cast<int>(at) % words_of_bits_ * 64 + std::countr_zero(rest)));
    }

    void add(Item& item, std::uint32_t id) {
        const std::uint64_t summary = std::uint64_t{1} << (item.category / 64 % 64);
        starting_summary_[item.start] |= summary;
        ending_summary_[item.end] |= summary;
        item.next_start = enter(starting_, first_starting_, item.start, item.category, id);
        item.next_end = enter(ending_, first_ending_, item.end, item.category, id);
    }

    std::size_t bytes() const {
        return (starting_.capacity() + ending_.capacity()) * 8 + (first_starting_.capacity() + first_ending_.capacity()) * 4;
    }

private:
    std::size_t at(int position, int category) const {
        return static_cast<std::size_t>(position) * categories_ + category;
    }

    std::uint32_t enter(std::vector<std::uint64_t>& bits, std::vector<std::uint32_t>& first, int position, int category,
                        std::uint32_t id) {
        std::uint64_t& word = bits[position * words_of_bits_ + category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (category % 64);
        std::uint32_t& head = first[at(position, category)];
        const std::uint32_t before = word & bit ? head : kNoItem;
        word |= bit;
        head = id;
        return before;
    }

    int categories_ = 0, words_of_bits_ = 0;
    std::vector<std::uint64_t> starting_, ending_;
    std::vector<std::uint64_t> starting_summary_, ending_summary_;  // bit w: word w (mod 64) of the bits is not zero
    std::vector<std::uint32_t> first_starting_, first_ending_;
};

// What dynamic programming may not merge: span, category, class of the rule, chain length, head word.
inline std::uint64_t span_signature(int start, int end) {
    return static_cast<std::uint64_t>(end) | static_cast<std::uint64_t>(start) << 12;
}
inline std::uint64_t label(int category, int rule_class, int chain, int head) {
    return label_signature(category, rule_class) | static_cast<std::uint64_t>(chain) << 40 |
           static_cast<std::uint64_t>(head) << 52;
}

// The signature of an item's place: the head word counts only if distance costs something.
inline std::uint64_t signature(const Item& item, const RuleTable& table, Score distance_cost) {
    return span_signature(item.start, item.end) | label(item.category, table.rule_class(item.rule),
                                                        table.chain_length_matters() ? item.chain : 0,
                                                        distance_cost > 0 ? item.head : 0);
}

// The best item of a signature.
struct Place {
    Score best = kNone;
    std::uint32_t holder = kNoItem;
    std::uint32_t edges = kNoItem;  // n-best: the newest of all its hyperedges
};

// A hash table from signatures to their places. A key is never zero: every span ends after word 0.
class Places {
public:
    // Starts with room for about `expected` signatures, since a small table stays in the cache.
    void reset(std::size_t expected) {
        for (std::uint32_t used : used_) table_[used] = {};
        used_.clear();
        resize(std::bit_ceil(std::max<std::size_t>(1024, 3 * expected)));
    }

    Place& find(std::uint64_t key) {
        const std::size_t i = probe(key);
        return table_[i].key == key ? table_[i].place : insert(key, i);
    }

    // Whether the signature is held by an item of at least this score.
    bool holds(std::uint64_t key, Score inside) const {
        return table_[probe(key)].place.best >= inside;  // the score of an empty place is kNone
    }

    std::size_t bytes() const { return (table_.capacity() + moving_.capacity()) * sizeof(Entry) + used_.capacity() * 4; }

private:
    struct Entry {
        std::uint64_t key = 0;
        Place place;
    };

    // Spans and categories make regular keys: one multiplication alone would leave them in clusters.
    std::size_t slot(std::uint64_t key) const {
        const std::uint64_t mixed = key * 0x9e3779b97f4a7c15ull;
        return (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93ull >> shift_;
    }

    // Where the key is, or the empty entry where it belongs.
    std::size_t probe(std::uint64_t key) const {
        const Entry* const table = table_.data();
        std::size_t i = slot(key);
        while (table[i].key != key && table[i].key != 0) i = (i + 1) & mask_;
        return i;
    }

    void resize(std::size_t size) {
        if (table_.size() < size) table_.resize(size);
        mask_ = size - 1;
        shift_ = 64 - std::countr_zero(size);
    }

    Place& insert(std::uint64_t key, std::size_t i) {
        if ((used_.size() + 1) * (mask_ < 1 << 16 ? 3 : 2) > mask_) {
            grow();
            return find(key);
        }
        table_[i].key = key;
        used_.push_back(static_cast<std::uint32_t>(i));
        return table_[i].place;
    }

    void grow() {
        moving_.clear();
        for (std::uint32_t used : used_) moving_.push_back(table_[used]), table_[used] = {};
        used_.clear();
        resize((mask_ + 1) * 2);
        for (const Entry& entry : moving_) find(entry.key) = entry.place;
    }

    std::vector<Entry> table_;
    Arena<Entry> moving_;
    std::size_t mask_ = 0;
    Arena<std::uint32_t> used_;
    int shift_ = 0;
};

}  // namespace starccg
