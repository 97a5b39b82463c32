// How the agenda loop begins: the tags of the words, and those that wait for the bound's floor to fall.
#pragma once
#include "loop.hpp"

namespace starccg {

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::push_leaves() {
    // A tag whose best parse lies below the floor is not popped before the floor falls: where nothing is scored beforehand,
    // it gets its number now and all else then.
    tags_wait_for_floor_ = !kDynamic && kScored && in_.options.lazy && in_.bound && in_.bound->floor() != kNone;
    if (tags_wait_for_floor_) {
        std::uint32_t all = 0;
        w_.waiting_tags.clear();
        for (int word = 0; word < words_; ++word) {
            w_.waiting_tags.push_back({all, 0});
            all += static_cast<std::uint32_t>(w_.tags.tags(word));
        }
        items_.resize(all);
        push_tags_down_to_floor();
        return;
    }
    for (int word = 0; word < words_; ++word) {
        if (kScored || in_.bound) {
            for (int rank = 0; rank < w_.tags.tags(word); ++rank) push_tag(word, rank);
        } else {
            push_first_possible_tag(word, 0);
        }
    }
}

// The bound is no closer than its floor: before anything is popped there, it is made closer, for all that wait.
template <bool kDynamic, bool kScored>
Stop Loop<kDynamic, kScored>::lower_floor() {
    const auto must = [&] { return must_stop(in_.interrupt, in_.limits.seconds, in_.begin); };
    if (!in_.bound->lower_floor([&] { return must() != Stop::none; })) return must();
    w_.agenda.change([&](std::uint32_t id) {
        const Item& item = items_[id];
        if (item.goal) return score_of(item);
        return outside(item) == kNone ? kNone : priority(item);
    });
    if (tags_wait_for_floor_) push_tags_down_to_floor();
    return Stop::none;
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::push_tags_down_to_floor() {
    for (int word = 0; word < words_; ++word) {
        WaitingTags& waiting = w_.waiting_tags[word];
        const Score least = in_.bound->floor() == kNone ? kNone : in_.bound->floor() - w_.tags.outside(word, word + 1);
        for (; waiting.next < w_.tags.tags(word); ++waiting.next) {
            const Tag tag = w_.tags.tag(word, waiting.next);
            if (tag.score < least) break;
            const Score bound = outside(word, word + 1, tag.category);
            if (bound == kNone) continue;
            const std::uint32_t id = waiting.first + static_cast<std::uint32_t>(waiting.next);
            items_[id] = {tag.score, kNoItem, static_cast<std::uint32_t>(waiting.next), kNoItem, kNoItem,
                          static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word + 1),
                          static_cast<std::uint16_t>(tag.category), static_cast<std::uint16_t>(word), kLexicon, 0, 0, 0};
            w_.agenda.push(tag.score + bound, 1, id);
        }
    }
}

template <bool kDynamic, bool kScored>
bool Loop<kDynamic, kScored>::push_tag(int word, int rank) {
    const Tag tag = w_.tags.tag(word, rank);
    return push(tag.score, word, word + 1, tag.category, kLexicon, kNoItem, rank, static_cast<std::uint16_t>(word), 0);
}

// A word's tags wait for each other: the next is pushed when the one before comes off the agenda, or is dropped.
template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::push_first_possible_tag(int word, int rank) {
    while (rank < w_.tags.tags(word) && !push_tag(word, rank)) ++rank;
}

}  // namespace starccg
