// How the agenda loop pushes the tags of the words.
#pragma once
#include "loop.hpp"

namespace starccg {

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::push_leaves() {
    // A tag whose best parse lies below the floor is not popped before the floor is lowered. In a lazy search such a tag
    // only gets its number now, and is pushed when the floor is lowered.
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

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::push_tags_down_to_floor() {
    for (int word = 0; word < words_; ++word) {
        WaitingTags& waiting = w_.waiting_tags[word];
        const Score least = in_.bound->floor() == kNone ? kNone : in_.bound->floor() - w_.tags.outside(word, word + 1);
        for (; waiting.next < w_.tags.tags(word); ++waiting.next) {
            const Tag tag = w_.tags.tag(word, waiting.next);
            if (tag.score < least) break;
            const NodeBound bound = bound_of(word, word + 1, tag.category);
            if (bound.outside == kNone) continue;
            const std::uint32_t id = waiting.first + static_cast<std::uint32_t>(waiting.next);
            items_[id] = leaf_item(word, waiting.next, tag);
            w_.agenda.push(bound.priority(tag.score), 1, id);
        }
    }
}

template <bool kDynamic, bool kScored>
bool Loop<kDynamic, kScored>::push_tag(int word, int rank) {
    const Tag tag = w_.tags.tag(word, rank);
    return push(leaf_item(word, rank, tag));
}

// A word's next tag is pushed when the one before it is popped or dropped.
template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::push_first_possible_tag(int word, int rank) {
    while (rank < w_.tags.tags(word) && !push_tag(word, rank)) ++rank;
}

}  // namespace starccg
