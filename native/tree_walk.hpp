// Walks over a tree with a stack of its own: sentences may have thousands of words, and threads little stack.
#pragma once
#include <array>
#include <cstdint>

#include "chart.hpp"

namespace starccg {

struct TreeWalk {
    Arena<std::uint32_t> waiting, order;
    Arena<std::int32_t> values;  // of the subtrees whose parent comes next
};

// Calls visit(node, left, right) for every node below `root`, children before parents and the left child first. What it
// returns is what the parent gets as left or right; -1 stands for no child. children(node) are two, kNoItem for none.
template <class Children, class Visit>
std::int32_t walk_tree(TreeWalk& walk, std::uint32_t root, Children children, Visit visit) {
    walk.waiting.clear(), walk.order.clear(), walk.values.clear();
    walk.waiting.push_back(root);
    while (!walk.waiting.empty()) {  // parents before children and the right child first: the reverse
        walk.order.push_back(walk.waiting.back());
        walk.waiting.pop_back();
        for (const std::uint32_t child : children(walk.order.back()))
            if (child != kNoItem) walk.waiting.push_back(child);
    }
    const auto take = [&](std::uint32_t child) {
        if (child == kNoItem) return -1;
        const std::int32_t value = walk.values.back();
        walk.values.pop_back();
        return value;
    };
    for (; !walk.order.empty(); walk.order.pop_back()) {
        const std::array<std::uint32_t, 2> below = children(walk.order.back());
        const std::int32_t right = take(below[1]), left = take(below[0]);
        walk.values.push_back(visit(walk.order.back(), left, right));
    }
    return walk.values.back();
}

}  // namespace starccg
