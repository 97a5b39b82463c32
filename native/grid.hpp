// The chart of the commonest case: one class of rule types, so that span and category say all, and a short sentence.
//
// A row holds what is known of one category over all spans that start (or that end) at one position, by length: which
// spans are held by some item, which of those are explored, and their best inside scores side by side. So an item
// meets all partners of one category in one go, and the nodes that would come of it lie in one row too, as many places
// further on as the item has words. Rows are made when first needed, one after the other in memory that the next
// sentence uses again: what a sentence touches stays in the nearest caches, however many categories there are.
#pragma once
#include <cstdint>
#include <vector>

#include "chart.hpp"

namespace starccg {

class Grid {
public:
    static constexpr int kMaxWords = 63;  // lengths are bits of a word

    // Whether a grammar of so many categories fits for a sentence of so many words.
    static bool fits(int words, int categories) { return words <= kMaxWords && size(words, categories) <= kMost; }

    // A row is found by its side, its position and its category.
    enum Side { starting, ending };
    static constexpr std::uint32_t kNoRow = 0;

    void reset(int words, int categories) {
        for (const std::uint32_t used : used_) rows_[used] = kNoRow;
        used_.clear();
        positions_ = static_cast<std::size_t>(words) + 1;
        categories_ = static_cast<std::size_t>(categories);
        if (rows_.size() < 2 * size(words, categories)) rows_.resize(2 * size(words, categories), kNoRow);
        end_ = kHeader;  // row 0 stands for none
        if (memory_.size() < 4096) memory_.resize(4096);
        memory_[0] = memory_[1] = 0;
    }

    // Row 0, of a category that was never seen here, reads as an empty one.
    std::uint32_t row(Side side, int position, int category) const { return rows_[at(side, position, category)]; }

    // Of one row, by length - 1: the spans held, those of them explored, and their scores.
    std::uint64_t held(std::uint32_t row) const { return memory_[row]; }
    std::uint64_t explored(std::uint32_t row) const { return memory_[row + 1]; }
    const Score* scores(std::uint32_t row) const { return reinterpret_cast<const Score*>(&memory_[row + kHeader]); }

    // The item that holds a place.
    std::uint32_t holder(int start, int category, int length) const {
        return holders(row(starting, start, category), start)[length - 1];
    }

    // Gives the place to an item of this score, unless it is held as well already. `before`: who lost it.
    bool take(int start, int end, int category, Score inside, std::uint32_t item, std::uint32_t& before) {
        const int length = end - start;
        const std::uint32_t s = row_for(starting, start, category);
        std::uint32_t& holder = holders(s, start)[length - 1];
        before = kNoItem;
        if (held(s) >> (length - 1) & 1) {
            if (scores(s)[length - 1] >= inside) return false;
            before = holder;
        }
        holder = item;
        write(s, length, inside);
        write(row_for(ending, end, category), length, inside);
        return true;
    }

    // The item that holds the place enters the chart.
    void explore(int start, int end, int category, Chart& chart) {
        const std::uint64_t bit = std::uint64_t{1} << (end - start - 1);
        std::uint64_t& s = memory_[row(starting, start, category) + 1];
        std::uint64_t& e = memory_[row(ending, end, category) + 1];
        if (s == 0) chart.set_starting(start, category);
        if (e == 0) chart.set_ending(end, category);
        s |= bit;
        e |= bit;
    }

    std::size_t bytes() const { return (rows_.capacity() + used_.capacity()) * 4 + memory_.capacity() * 8; }

private:
    static constexpr std::uint32_t kHeader = 2;
    static constexpr std::size_t kMost = 4000000;  // 32 MB, of which a sentence touches a small part

    static std::size_t size(int words, int categories) {
        return static_cast<std::size_t>(words + 1) * static_cast<std::size_t>(categories);
    }
    std::size_t at(Side side, int position, int category) const {
        return (side * positions_ + static_cast<std::size_t>(position)) * categories_ + static_cast<std::size_t>(category);
    }
    // How many lengths a span can have that starts, or ends, at a position.
    std::size_t room(Side side, int position) const {
        return side == starting ? positions_ - 1 - static_cast<std::size_t>(position) : static_cast<std::size_t>(position);
    }

    std::uint32_t row_for(Side side, int position, int category) {
        const std::size_t place = at(side, position, category);
        const std::uint32_t row = rows_[place];
        return row != kNoRow ? row : make_row(side, position, place);
    }

    [[gnu::noinline]] std::uint32_t make_row(Side side, int position, std::size_t place) {
        const std::uint32_t row = end_, room = static_cast<std::uint32_t>(this->room(side, position));
        rows_[place] = row;
        used_.push_back(static_cast<std::uint32_t>(place));
        end_ += kHeader + room + (side == starting ? (room + 1) / 2 : 0);
        if (memory_.size() < end_) memory_.resize(2 * static_cast<std::size_t>(end_));
        memory_[row] = memory_[row + 1] = 0;  // scores and holders are read only where a bit is set
        return row;
    }

    void write(std::uint32_t row, int length, Score inside) {
        memory_[row] |= std::uint64_t{1} << (length - 1);
        memory_[row + kHeader + length - 1] = static_cast<std::uint64_t>(inside);
    }

    // Two to a word, behind the scores of a row of spans that start at `position`.
    std::uint32_t* holders(std::uint32_t row, int position) {
        return reinterpret_cast<std::uint32_t*>(&memory_[row + kHeader + room(starting, position)]);
    }
    const std::uint32_t* holders(std::uint32_t row, int position) const { return const_cast<Grid*>(this)->holders(row, position); }

    std::size_t positions_ = 0, categories_ = 0;
    std::vector<std::uint32_t> rows_;  // where in `memory_` each row begins
    Arena<std::uint32_t> used_;
    Arena<std::uint64_t> memory_;  // rows: held, explored, scores, and where spans start their holders
    std::uint32_t end_ = kHeader;
};

}  // namespace starccg
