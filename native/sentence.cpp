#include "sentence.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace starccg {
namespace {

[[noreturn]] void refuse(int word, const std::string& what) {
    throw std::invalid_argument("word " + std::to_string(word) + ": " + what);
}

}  // namespace

void TaggedWords::read(const SentenceView& in, const RuleTable& table, bool heuristic) {
    words_ = in.words;
    first_.assign(words_ + 1, 0);
    before_.assign(words_ + 1, 0);
    if (static_cast<int>(seen_.size()) < table.categories()) seen_.resize(table.categories(), 0);
    if (in.offsets[0] != 0) throw std::invalid_argument("offsets must begin with 0");
    if (in.offsets[words_] != in.tag_count)
        throw std::invalid_argument("offsets must end with the number of tags, " + std::to_string(in.tag_count) + ", not " +
                                    std::to_string(in.offsets[words_]));
    for (int word = 0; word < words_; ++word)
        if (in.offsets[word + 1] <= in.offsets[word])
            refuse(word, in.offsets[word + 1] < in.offsets[word] ? "offsets must not fall" : "no tags");
    best_ = 0;
    if (static_cast<long>(tags_.size()) < in.tag_count) tags_.resize(in.tag_count);
    const std::int32_t lexical = table.lexical();
    std::uint32_t* const seen = seen_.data();
    Tag* next = tags_.data();
    for (int word = 0; word < words_; ++word) {
        Tag* const begin = next;
        if (++stamp_ == 0) std::fill(seen_.begin(), seen_.end(), 0), stamp_ = 1;
        bool sorted = true;
        float last = std::numeric_limits<float>::infinity();
        for (std::int32_t i = in.offsets[word]; i < in.offsets[word + 1]; ++i) {
            const std::int32_t category = in.tags[i];
            const float value = in.log_probabilities[i];
            if (static_cast<std::uint32_t>(category) >= static_cast<std::uint32_t>(lexical))
                refuse(word, "tag " + std::to_string(category) + " is outside 0.." + std::to_string(table.lexical() - 1) +
                                 ", the lexical categories");
            if (seen[category] == stamp_) refuse(word, "tag " + std::to_string(category) + " is given twice");
            seen[category] = stamp_;
            if (!(value < kLargest))
                refuse(word, value != value ? "a log-probability is not a number"
                                            : "a log-probability of " + std::to_string(value) + " is too large");
            if (value < -kLargest) {
                if (value == -std::numeric_limits<float>::infinity()) continue;  // a tag that cannot be
                refuse(word, "a log-probability below -2^20; leave the tag out, or give minus infinity");
            }
            sorted &= value <= last;
            last = value;
            *next++ = {std::llrint(value * kGrid), category};
        }
        if (begin == next) refuse(word, "no tag that can be");
        if (!sorted) std::stable_sort(begin, next, [](const Tag& a, const Tag& b) { return a.score > b.score; });
        first_[word + 1] = static_cast<std::int32_t>(next - tags_.data());
        const Score best = begin->score;
        if (!heuristic && best > 0) refuse(word, "best-first search needs log-probabilities of at most 0");
        best_ += best;
        before_[word + 1] = heuristic ? best_ : 0;
    }
    total_ = heuristic ? best_ : 0;
}

}  // namespace starccg
