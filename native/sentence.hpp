// A sentence as handed over, checked and put on the grid: tags best first, and the outside bound as prefix sums.
#pragma once
#include <cstdint>
#include <vector>

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
};

struct Tag {
    Score score;
    std::int32_t category;
};

class TaggedWords {
public:
    // Throws std::invalid_argument, saying which word, where the input is not as promised.
    void read(const SentenceView& sentence, const RuleTable& table, bool heuristic);

    int words() const { return words_; }
    int tags(int word) const { return first_[word + 1] - first_[word]; }
    const Tag& tag(int word, int rank) const { return tags_[first_[word] + rank]; }
    Score outside(int start, int end) const { return total_ - (before_[end] - before_[start]); }
    Score best() const { return best_; }  // no parse of a factored or global model scores higher

private:
    int words_ = 0;
    std::vector<Tag> tags_;
    std::vector<std::int32_t> first_;
    std::vector<Score> before_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    Score total_ = 0, best_ = 0;
};

}  // namespace starccg
