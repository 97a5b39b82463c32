// The chart of the commonest case: one class of rule types, so that span and category say all, and a short sentence.
//
// Best inside scores lie in two arrays, by (category, start, end) and by (category, end, start), so that an item
// meets all partners of one category in one go: their scores are side by side, and so are the scores of the nodes
// that would come of it. Most hyperedges of a factored model come too late, and here they cost a comparison each.
#pragma once
#include <cstdint>
#include <vector>

#include "chart.hpp"

namespace starccg {

class Grid {
public:
    static constexpr int kMaxWords = 63;  // ends are bits of a word

    // Whether a grammar of so many categories fits for a sentence of so many words.
    static bool fits(int words, int categories) { return words <= kMaxWords && size(words, categories) <= kMost; }

    void reset(int words, int categories) {
        for (const Touched& t : touched_) by_end_[t.by_end] = by_start_[t.by_start] = kNone;
        touched_.clear();
        words_ = words;
        categories_ = categories;
        if (by_start_.size() < size(words, categories)) {
            by_start_.resize(size(words, categories), kNone);
            by_end_.resize(size(words, categories), kNone);
            holders_.resize(size(words, categories));
        }
        // Masks are read only where the chart's bits say that there is something, so they need no clearing.
        const std::size_t positions = static_cast<std::size_t>(words + 1) * categories;
        if (ends_.size() < positions) ends_.resize(positions), starts_.resize(positions);
    }

    // Scores of a category over the spans that start here, by end; over the spans that end here, by start.
    const Score* starting(int category, int start) const { return &by_start_[row(category, start)]; }
    const Score* ending(int category, int end) const { return &by_end_[row(category, end)]; }

    Score best(int start, int end, int category) const { return by_start_[row(category, start) + end]; }
    std::uint32_t holder(int start, int end, int category) const { return holders_[row(category, start) + end]; }

    void set(int start, int end, int category, Score inside, std::uint32_t item) {
        const std::size_t s = row(category, start) + end, e = row(category, end) + start;
        if (by_start_[s] == kNone) touched_.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(e)});
        by_start_[s] = by_end_[e] = inside;
        holders_[s] = item;
    }

    // Where explored nodes of a category end that start here, and the other way round. `first`: none was there before.
    std::uint64_t ends(int start, int category) const { return ends_[position(start, category)]; }
    std::uint64_t starts(int end, int category) const { return starts_[position(end, category)]; }
    void add(int start, int end, int category, bool first_start, bool first_end) {
        std::uint64_t& ends = ends_[position(start, category)];
        std::uint64_t& starts = starts_[position(end, category)];
        ends = (first_start ? 0 : ends) | std::uint64_t{1} << end;
        starts = (first_end ? 0 : starts) | std::uint64_t{1} << start;
    }

private:
    static constexpr std::size_t kMost = 2600000;  // 52 MB, of which a sentence touches a small part
    struct Touched {
        std::uint32_t by_start, by_end;
    };

    static std::size_t size(int words, int categories) {
        return static_cast<std::size_t>(categories) * (words + 1) * (words + 1);
    }
    std::size_t row(int category, int at) const {
        return (static_cast<std::size_t>(category) * (words_ + 1) + at) * (words_ + 1);
    }
    std::size_t position(int at, int category) const { return static_cast<std::size_t>(at) * categories_ + category; }

    std::size_t words_ = 0, categories_ = 0;
    std::vector<Score> by_start_, by_end_;
    std::vector<std::uint32_t> holders_;
    std::vector<std::uint64_t> ends_, starts_;
    std::vector<Touched> touched_;
};

}  // namespace starccg
