// The input of a search for one sentence, checked: the tags of each word, best first, and the outside bound as prefix sums.
// Most tags are never pushed, so a score is rounded to the grid only when it is read.
#pragma once
#include <cstdint>
#include <vector>

#include "arena.hpp"
#include "rule_table.hpp"
#include "score.hpp"

namespace starccg {

struct SentenceView {
    int words = 0;
    const std::int32_t* tags = nullptr;
    const float* log_probabilities = nullptr;
    const std::int32_t* offsets = nullptr;  // words + 1 of them
    long tag_count = 0;
    const float* states = nullptr;  // words x 4 x cells, or none
    int cells = 0;
    const float* pruned = nullptr;  // of each word the best tag that was not kept, minus infinity for none; or not known
};

struct Tag {
    Score score;
    std::int32_t category;
};

class TaggedWords {
public:
    // Throws std::invalid_argument, which names the word, if the input is wrong.
    void read(const SentenceView& sentence, const RuleTable& table, bool heuristic);

    int words() const { return words_; }
    int tags(int word) const { return tags_[word].count; }
    Tag tag(int word, int rank) const {
        const WordTags& tags = tags_[word];
        return {to_grid(tags.values[rank]), tags.categories[rank]};
    }
    Score outside(int start, int end) const { return total_ - (before_[end] - before_[start]); }
    // No parse that uses a tag that was not kept scores more than this; kNone if all tags were kept.
    Score pruned_bound(const SentenceView& sentence, const RuleTable& table) const;
    Score best() const { return best_; }  // no parse of a factored or global model scores higher

private:
    // A word's tags, best first: a pointer to the input if it is in that order, else to a sorted copy.
    struct WordTags {
        const std::int32_t* categories;
        const float* values;
        std::int32_t count;
    };
    std::uint32_t next_stamp();
    WordTags check(const SentenceView& in, int word, const RuleTable& table);
    void put_in_order(const SentenceView& in, int word, const RuleTable& table);

    int words_ = 0;
    Arena<WordTags> tags_;
    Arena<Score> before_;
    std::vector<std::uint32_t> seen_;  // by category: the number of the last word that had it
    std::uint32_t stamp_ = 0;
    struct Given {
        Score score;
        float value;
        std::int32_t category, place;
    };
    Arena<Given> given_;
    Arena<std::int32_t> own_categories_;
    Arena<float> own_values_;
    Score total_ = 0, best_ = 0;
};

}  // namespace starccg
