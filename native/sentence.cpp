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

// A number that is not in seen_.
std::uint32_t TaggedWords::next_stamp() {
    if (++stamp_ == 0) std::fill(seen_.begin(), seen_.end(), 0), stamp_ = 1;
    return stamp_;
}

// Checks every tag in loops that the compiler vectorises. Words with anything unusual are sorted and checked tag by tag.
TaggedWords::WordTags TaggedWords::check(const SentenceView& in, int word, const RuleTable& table) {
    const std::int32_t first = in.offsets[word], count = in.offsets[word + 1] - first;
    const std::int32_t* const categories = in.tags + first;
    const float* const values = in.log_probabilities + first;
    const auto lexical = static_cast<std::uint32_t>(table.lexical());
    std::uint32_t wrong = 0;
    for (std::int32_t i = 0; i < count; ++i) wrong |= static_cast<std::uint32_t>(categories[i]) >= lexical;
    wrong |= !(values[0] < kLargest) | !(values[count - 1] >= -kLargest);
    for (std::int32_t i = 1; i < count; ++i) wrong |= !(values[i] <= values[i - 1]);  // so all others are between those two
    if (!wrong) {
        const std::uint32_t stamp = next_stamp();
        std::uint32_t* const seen = seen_.data();
        for (std::int32_t i = 0; i < count; ++i) wrong |= seen[categories[i]] == stamp, seen[categories[i]] = stamp;
        if (!wrong) return {categories, values, count};
    }
    put_in_order(in, word, table);
    return {nullptr, nullptr, static_cast<std::int32_t>(given_.size())};
}

// Checks each tag, leaves out those of minus infinity, and sorts the rest; tags of equal score stay in the order given.
void TaggedWords::put_in_order(const SentenceView& in, int word, const RuleTable& table) {
    const std::uint32_t stamp = next_stamp();
    given_.clear();
    for (std::int32_t i = in.offsets[word]; i < in.offsets[word + 1]; ++i) {
        const std::int32_t category = in.tags[i];
        const float value = in.log_probabilities[i];
        if (category < 0 || category >= table.lexical())
            refuse(word, "tag " + std::to_string(category) + " is outside 0.." + std::to_string(table.lexical() - 1) +
                             ", the lexical categories");
        if (seen_[category] == stamp) refuse(word, "tag " + std::to_string(category) + " is given twice");
        seen_[category] = stamp;
        if (!(value < kLargest))
            refuse(word, value != value ? "a log-probability is not a number"
                                        : "a log-probability of " + std::to_string(value) + " is too large");
        if (value < -kLargest) {
            if (value == -std::numeric_limits<float>::infinity()) continue;  // an impossible tag
            refuse(word, "a log-probability is below -2^20; leave the tag out, or give minus infinity");
        }
        given_.push_back({to_grid(value), value, category, i});
    }
    if (given_.empty()) refuse(word, "no tag has a log-probability above minus infinity");
    std::sort(given_.begin(), given_.end(), [](const Given& a, const Given& b) {
        return a.score != b.score ? a.score > b.score : a.place < b.place;
    });
    for (const Given& each : given_) own_categories_.push_back(each.category), own_values_.push_back(each.value);
}

void TaggedWords::read(const SentenceView& in, const RuleTable& table, bool heuristic) {
    words_ = in.words;
    tags_.resize(words_);
    before_.resize(words_ + 1);
    before_[0] = 0;
    own_categories_.clear();
    own_values_.clear();
    if (static_cast<int>(seen_.size()) < table.categories()) seen_.resize(table.categories(), 0);
    if (in.offsets[0] != 0) throw std::invalid_argument("offsets must begin with 0");
    if (in.offsets[words_] != in.tag_count)
        throw std::invalid_argument("offsets must end with the number of tags, " + std::to_string(in.tag_count) + ", not " +
                                    std::to_string(in.offsets[words_]));
    for (int word = 0; word < words_; ++word)
        if (in.offsets[word + 1] <= in.offsets[word])
            refuse(word, in.offsets[word + 1] < in.offsets[word] ? "offsets must not decrease" : "it has no tags");
    for (int word = 0; word < words_; ++word) tags_[word] = check(in, word, table);
    std::size_t own = 0;  // known only now: the memory may have moved
    best_ = 0;
    for (int word = 0; word < words_; ++word) {
        WordTags& tags = tags_[word];
        if (!tags.categories) {
            tags.categories = own_categories_.begin() + own, tags.values = own_values_.begin() + own;
            own += static_cast<std::size_t>(tags.count);
        }
        const Score best = to_grid(tags.values[0]);
        if (!heuristic && best > 0) refuse(word, "best-first search needs log-probabilities of at most 0");
        best_ += best;
        before_[word + 1] = heuristic ? best_ : 0;
    }
    total_ = heuristic ? best_ : 0;
}

// Such a parse has at least one tag that was not kept. The other words have their best tags at most, kept or not.
Score TaggedWords::pruned_bound(const SentenceView& in, const RuleTable& table) const {
    if (!in.pruned) return kUnknown;
    Score total = table.best_root_score(), least_loss = kUnknown;
    for (int word = 0; word < words_; ++word) {
        const double value = in.pruned[word];
        if (!(value < kLargest))
            refuse(word, "the log-probability of the best tag that was not kept is not a number or too large");
        const Score kept = tag(word, 0).score;
        if (value == -std::numeric_limits<double>::infinity()) {
            total += kept;
            continue;
        }
        const Score pruned = to_grid(std::max(value, -kLargest));
        total += std::max(kept, pruned);
        least_loss = std::min(least_loss, std::max(kept, pruned) - pruned);
    }
    return least_loss == kUnknown ? kNone : total - least_loss;
}

}  // namespace starccg
