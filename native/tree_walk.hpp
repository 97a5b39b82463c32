// Walks over a tree with a stack of its own: sentences may have thousands of words, and threads little stack.
#pragma once
#include <cstdint>

#include "chart.hpp"

namespace starccg {

struct TreeStep {
    std::uint32_t node, children[2];  // kNoItem: no such child
    std::int32_t values[2];
    int next;  // the child to visit next
};

// Calls visit(node, left, right) for every node below `root`, children before parents and the left child first. What it
// returns is what the parent gets as left or right; -1 stands for no child. open(node, step) sets step.children.
template <class Open, class Visit>
std::int32_t walk_tree(Arena<TreeStep>& stack, std::uint32_t root, Open open, Visit visit) {
    const auto enter = [&](std::uint32_t node) {
        TreeStep step{node, {kNoItem, kNoItem}, {-1, -1}, 0};
        open(node, step);
        stack.push_back(step);
    };
    stack.clear();
    enter(root);
    for (;;) {
        TreeStep& top = stack.back();
        while (top.next < 2 && top.children[top.next] == kNoItem) ++top.next;
        if (top.next < 2) {
            enter(top.children[top.next]);
            continue;
        }
        const std::int32_t value = visit(top.node, top.values[0], top.values[1]);
        stack.pop_back();
        if (stack.empty()) return value;
        TreeStep& parent = stack.back();
        parent.values[parent.next++] = value;
    }
}

}  // namespace starccg
