// How the bound of the agenda loop changes while it runs: a lower floor, and inside scores that the forest has shown.
#pragma once
#include "loop.hpp"

namespace starccg {

// Called before anything at or below the floor is popped: a lower floor, and new priorities for the whole agenda.
// Where the deadline comes first, the items keep the priorities that they had and the tags still wait: upper_bound()
// counts both.
template <bool kDynamic, bool kScored>
Stop Loop<kDynamic, kScored>::lower_floor() {
    PeriodicCheck check(in_.deadline, 64, 64);
    if (!in_.bound->lower_floor([&] { return check() != Stop::none; })) return in_.deadline.check();
    change_priorities();
    if (tags_wait_for_floor_) push_tags_down_to_floor();
    return Stop::none;
}

// Called when the forest has grown by half: the bound above the same floor, from inside scores that count the global scores
// of what is explored. A search that ends early never comes here.
template <bool kDynamic, bool kScored>
Stop Loop<kDynamic, kScored>::refine_bound() {
    next_refinement_ = in_.explored + in_.explored / 2 + 1;
    in_.bound->tighten(std::max(w_.agenda.head_priority(), in_.bound->floor()), [&](auto see) {
        w_.chart.for_each_start([&](std::uint32_t id) {
            for (; id != kNoItem; id = items_[id].next_start)
                see(items_[id].start, items_[id].end, items_[id].category, items_[id].inside);
        });
    });
    PeriodicCheck check(in_.deadline, 64, 64);
    if (!in_.bound->fill([&] { return check() != Stop::none; })) return in_.deadline.check();
    change_priorities();
    return Stop::none;
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::change_priorities() {
    w_.agenda.change([&](std::uint32_t id) {
        const Item& item = items_[id];
        if (item.goal) return score_of(item);
        const NodeBound bound = bound_of(item);
        return bound.outside == kNone ? kNone : bound.priority(item.inside);
    });
}

}  // namespace starccg
