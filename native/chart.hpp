// Items, the chart or forest they enter when popped, and the places that dynamic programming keeps one item in.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "arena.hpp"
#include "rule_table.hpp"
#include "score.hpp"

namespace starccg {

inline constexpr std::uint32_t kNoItem = 0xffffffffu;

inline int count_bits(std::uint64_t x) {  // std::popcount is a function call on the oldest x86-64
    x -= (x >> 1) & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return static_cast<int>((x * 0x0101010101010101ull) >> 56);
}

// A hyperedge with the node at its head. Its number is its age.
struct Item {
    Score inside;
    std::uint32_t left;        // kNoItem: a leaf
    std::uint32_t right;       // kNoItem: unary; of a leaf the rank of its tag
    std::uint32_t next_start;  // the item that entered the chart before it with the same start and category; where there
                               // is a grid, when it entered
    std::uint32_t next_end;
    std::uint16_t start, end;
    std::uint16_t category;
    std::uint16_t head;  // the head word; kept only if distance costs
    std::uint8_t rule;
    std::uint8_t chain;   // unary rules above the last node that is not unary
    std::uint8_t scored;  // its global score is in `inside`
    std::uint8_t lost;    // its place is held by a better one
    std::uint8_t goal = 0;  // a complete parse, back on the agenda with its root score

    bool is_leaf() const { return left == kNoItem; }
    bool is_unary() const { return left != kNoItem && right == kNoItem; }
    int length() const { return end - start; }
};

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
        // Heads are read only where a bit is set, so they need no clearing.
        const std::size_t heads = static_cast<std::size_t>(words + 1) * categories;
        if (first_starting_.size() < heads) first_starting_.resize(heads), first_ending_.resize(heads);
    }

    const std::uint64_t* starting_at(int position) const { return &starting_[position * words_of_bits_]; }
    const std::uint64_t* ending_at(int position) const { return &ending_[position * words_of_bits_]; }
    std::uint64_t starting_summary(int position) const { return starting_summary_[position]; }
    std::uint64_t ending_summary(int position) const { return ending_summary_[position]; }
    std::uint32_t first_starting(int position, int category) const { return first_starting_[at(position, category)]; }
    std::uint32_t first_ending(int position, int category) const { return first_ending_[at(position, category)]; }

    void add(Item& item, std::uint32_t id) {
        const std::uint64_t summary = std::uint64_t{1} << (item.category / 64 % 64);
        starting_summary_[item.start] |= summary;
        ending_summary_[item.end] |= summary;
        item.next_start = enter(starting_, first_starting_, item.start, item.category, id);
        item.next_end = enter(ending_, first_ending_, item.end, item.category, id);
    }

    // The same without the chains, for the grid: some node of the category now starts here, or ends here.
    void set_starting(int position, int category) { set(starting_, starting_summary_, position, category); }
    void set_ending(int position, int category) { set(ending_, ending_summary_, position, category); }

    std::size_t bytes() const {
        return (starting_.capacity() + ending_.capacity()) * 8 + (first_starting_.capacity() + first_ending_.capacity()) * 4;
    }

private:
    std::size_t at(int position, int category) const {
        return static_cast<std::size_t>(position) * categories_ + category;
    }

    void set(std::vector<std::uint64_t>& bits, std::vector<std::uint64_t>& summary, int position, int category) {
        summary[position] |= std::uint64_t{1} << (category / 64 % 64);
        bits[position * words_of_bits_ + category / 64] |= std::uint64_t{1} << (category % 64);
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

// What a signature is held by.
struct Place {
    Score best = kNone;
    std::uint32_t holder = kNoItem;
    std::uint32_t edges = kNoItem;  // n-best: the newest of all its hyperedges
};

// A hash table from signatures to their places. A key is never zero: every span ends after word 0.
class Places {
public:
    // Starts with room for about `expected` signatures: a small table stays in the nearest cache, a larger one is kept.
    void reset(std::size_t expected) {
        for (std::uint32_t used : used_) table_[used] = {};
        used_.clear();
        resize(std::bit_ceil(std::max<std::size_t>(1024, 3 * expected)));
    }

    Place& find(std::uint64_t key) {
        std::size_t i = slot(key);
        while (table_[i].key != key) {
            if (table_[i].key == 0) return insert(key, i);
            i = (i + 1) & mask_;
        }
        return table_[i].place;
    }

    // Whether the signature is held by an item of at least this score.
    bool holds(std::uint64_t key, Score inside) const {
        const Entry* table = table_.data();
        std::size_t i = slot(key);
        while (table[i].key != key) {
            if (table[i].key == 0) return false;
            i = (i + 1) & mask_;
        }
        return table[i].place.best >= inside;  // an empty place has the worst of scores
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
