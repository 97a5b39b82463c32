// Which tags of each word the search is given: those whose log-probability is close to that of the best tag.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace starccg {

struct KeptTags {
    std::vector<std::int32_t> tags;    // of all words, one word after the other; best first, ties by number
    std::vector<float> scores;         // of those tags
    std::vector<std::int32_t> counts;  // of the tags of each word
    std::vector<float> pruned;         // the best score of each word that is not kept
};

// The largest of some values, of which those that are not numbers do not count.
inline float largest(const float* values, std::size_t count) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    float a = kNone, b = kNone, c = kNone, d = kNone;  // four maxima that do not wait for each other
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        a = values[i] > a ? values[i] : a;
        b = values[i + 1] > b ? values[i + 1] : b;
        c = values[i + 2] > c ? values[i + 2] : c;
        d = values[i + 3] > d ? values[i + 3] : d;
    }
    for (; i < count; ++i) a = values[i] > a ? values[i] : a;
    return std::max(std::max(a, b), std::max(c, d));
}

// rows[words][categories] are log-probabilities. A word keeps the tags that score at least its best tag plus `cut` (at most
// 0), but at most `most` of them. A word with a value that is not a number keeps nothing.
inline KeptTags kept_tags(const float* rows, std::size_t words, std::size_t categories, float cut, std::size_t most) {
    constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
    KeptTags kept;
    kept.counts.reserve(words), kept.pruned.reserve(words);
    std::vector<std::int32_t> own;
    for (const float* row = rows; kept.counts.size() < words; row += categories) {
        const float least = largest(row, categories) + cut;
        float pruned = -std::numeric_limits<float>::infinity();
        own.clear();
        std::size_t begin = 0;  // after the last tag that is kept
        for (std::size_t i = 0; i < categories; ++i) {
            if (row[i] < least) continue;
            pruned = row[i] >= least ? std::max(pruned, largest(row + begin, i - begin)) : kUnknown;
            if (pruned != pruned) break;
            own.push_back(static_cast<std::int32_t>(i));
            begin = i + 1;
        }
        if (pruned != pruned) own.clear();
        else pruned = std::max(pruned, largest(row + begin, categories - begin));
        std::sort(own.begin(), own.end(),
                  [row](std::int32_t a, std::int32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
        if (own.size() > most) {
            pruned = std::max(pruned, row[own[most]]);
            own.resize(most);
        }
        for (const std::int32_t tag : own) kept.tags.push_back(tag), kept.scores.push_back(row[tag]);
        kept.counts.push_back(static_cast<std::int32_t>(own.size()));
        kept.pruned.push_back(pruned);
    }
    return kept;
}

}  // namespace starccg
