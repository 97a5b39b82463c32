// The n best derivations of a finished chart (Huang and Chiang 2005, algorithm 3: lazy, from the top).
//
// A vertex is a signature. The search has recorded all its hyperedges with the inside score of their best derivation.
// Only what the list needs is ranked. Derivations lie in one array and refer to each other by place: those that a vertex
// has found are a chain, those that come next a pairing heap.
#pragma once
#include <algorithm>
#include <cstdint>

#include "search.hpp"

namespace starccg {

class KBest {
public:
    KBest(Workspace& w, const RuleTable& table, Score distance_cost)
        : w_(w), space_(w.ranking), all_(w.ranking.derivations), table_(table), distance_cost_(distance_cost) {
        all_.clear();
        space_.vertices.clear();
        space_.goals.clear();
        space_.vertex_of.assign(w.items.size(), kNoItem);
        for (const std::uint32_t id : w.complete) push_goal({w.items[id].inside + root_score(id), id, kNoItem, 0});
    }

    // The next complete derivation, or false if there is none.
    bool next(RankedGoal& out) {
        Arena<RankedGoal>& goals = space_.goals;
        if (goals.empty()) return false;
        std::pop_heap(goals.begin(), goals.end(), goal_after);
        out = goals.back();
        goals.pop_back();
        const std::uint32_t vertex = vertex_for(out.item);
        if (out.derivation == kNoItem) out.derivation = first_of(vertex);
        const std::uint32_t after = next_of(vertex, out.derivation);
        if (after != kNoItem) push_goal({all_[after].score + root_score(out.item), out.item, after, out.rank + 1});
        return true;
    }

    // Packs a derivation: emit(item, left, right) makes a node of places of children, once for each subtree that the
    // list shares.
    template <class Emit>
    std::int32_t pack(std::uint32_t derivation, Emit emit) {
        Arena<std::uint32_t>& stack = space_.to_pack;
        stack.clear();
        stack.push_back(derivation);
        while (!stack.empty()) {
            const std::uint32_t top = stack.back();
            const RankedDerivation chosen = all_[top];
            const Item& item = w_.items[chosen.edge];
            const std::uint32_t left = item.is_leaf() ? kNoItem : known(chosen.left, item.left);
            const std::uint32_t right = item.is_binary() ? known(chosen.right, item.right) : kNoItem;
            if (!is_packed(left)) {
                stack.push_back(left);
            } else if (!is_packed(right)) {
                stack.push_back(right);
            } else {
                stack.pop_back();
                if (all_[top].packed < 0) all_[top].packed = emit(chosen.edge, place_of(left), place_of(right));
            }
        }
        return all_[derivation].packed;
    }

private:
    bool is_packed(std::uint32_t derivation) const { return derivation == kNoItem || all_[derivation].packed >= 0; }
    std::int32_t place_of(std::uint32_t derivation) const { return derivation == kNoItem ? -1 : all_[derivation].packed; }
    Score root_score(std::uint32_t id) const { return table_.root_score(w_.items[id].category); }

    static bool goal_after(const RankedGoal& a, const RankedGoal& b) {
        if (a.score != b.score) return a.score < b.score;
        return a.item != b.item ? a.item > b.item : a.rank > b.rank;
    }
    void push_goal(const RankedGoal& goal) {
        space_.goals.push_back(goal);
        std::push_heap(space_.goals.begin(), space_.goals.end(), goal_after);
    }

    // Which of two comes first: by score, then the older hyperedge, then the better left child.
    bool before(std::uint32_t i, std::uint32_t j) const {
        const RankedDerivation &a = all_[i], &b = all_[j];
        if (a.score != b.score) return a.score > b.score;
        if (a.edge != b.edge) return a.edge < b.edge;
        return a.left_rank != b.left_rank ? a.left_rank < b.left_rank : a.right_rank < b.right_rank;
    }

    std::uint32_t merged(std::uint32_t a, std::uint32_t b) {
        if (a == kNoItem || b == kNoItem) return a == kNoItem ? b : a;
        if (before(b, a)) std::swap(a, b);
        all_[b].beside = all_[a].below;
        all_[a].below = b;
        return a;
    }

    // The heap without its first: its children are merged two by two, then all into one.
    std::uint32_t without_first(std::uint32_t heap) {
        std::uint32_t pairs = kNoItem;
        for (std::uint32_t a = all_[heap].below; a != kNoItem;) {
            const std::uint32_t b = all_[a].beside;
            const std::uint32_t rest = b == kNoItem ? kNoItem : all_[b].beside;
            const std::uint32_t pair = merged(a, b);
            all_[pair].beside = pairs;
            pairs = pair;
            a = rest;
        }
        std::uint32_t all = kNoItem;
        while (pairs != kNoItem) {
            const std::uint32_t rest = all_[pairs].beside;
            all = merged(all, pairs);
            pairs = rest;
        }
        return all;
    }

    void add(std::uint32_t vertex, const RankedDerivation& derivation) {
        const auto place = static_cast<std::uint32_t>(all_.size());
        all_.push_back(derivation);
        RankedVertex& own = space_.vertices[vertex];
        own.heap = merged(own.heap, place);
    }

    std::uint32_t vertex_for(std::uint32_t id) {
        if (space_.vertex_of[id] != kNoItem) return space_.vertex_of[id];
        const auto vertex = static_cast<std::uint32_t>(space_.vertices.size());
        space_.vertices.push_back({kNoItem, kNoItem, kNoItem, true});
        std::uint32_t edge = w_.places.find(signature(w_.items[id], table_, distance_cost_)).edges;
        for (; edge != kNoItem; edge = w_.edge_before[edge]) add(vertex, {.score = w_.items[edge].inside, .edge = edge});
        return space_.vertex_of[id] = vertex;
    }

    std::uint32_t first_of(std::uint32_t vertex) {
        if (space_.vertices[vertex].first == kNoItem) take_best(vertex);  // its heap holds the best of each hyperedge
        return space_.vertices[vertex].first;
    }
    std::uint32_t next_of(std::uint32_t vertex, std::uint32_t derivation) {
        if (all_[derivation].next == kNoItem) find_one_more(vertex);
        return all_[derivation].next;
    }
    std::uint32_t known(std::uint32_t derivation, std::uint32_t item) {
        return derivation != kNoItem ? derivation : first_of(vertex_for(item));
    }

    // Moves the best derivation of a vertex's heap to the end of its chain.
    void take_best(std::uint32_t vertex) {
        RankedVertex& own = space_.vertices[vertex];
        if (own.heap == kNoItem) return;
        const std::uint32_t found = own.heap;
        own.heap = without_first(found);
        if (own.first == kNoItem)
            own.first = found;
        else
            all_[own.last].next = found;
        own.last = found;
        own.advanced = false;
    }

    // Puts the successors of the last derivation found on the heap, then takes the best. A successor needs the next
    // derivation of a child, which is found in the same way first: `steps` is the stack of the vertices that wait for one.
    // (l, r) is followed by (l, r + 1), and if r is the best by (l + 1, r): each pair is reached in exactly one way.
    void find_one_more(std::uint32_t vertex) {
        Arena<std::uint32_t>& steps = space_.steps;
        steps.clear();
        steps.push_back(vertex);
        while (!steps.empty()) {
            const std::uint32_t top = steps.back();
            if (!space_.vertices[top].advanced) {
                const RankedDerivation from = all_[space_.vertices[top].last];
                const Item& item = w_.items[from.edge];
                const std::uint32_t right = item.is_binary() ? known(from.right, item.right) : kNoItem;
                const std::uint32_t left = !item.is_leaf() && from.right_rank == 0 ? known(from.left, item.left) : kNoItem;
                if (right != kNoItem && wait_for_next(right, item.right)) continue;
                if (left != kNoItem && wait_for_next(left, item.left)) continue;
                if (right != kNoItem && all_[right].next != kNoItem)
                    add(top, {.score = from.score - all_[right].score + all_[all_[right].next].score, .edge = from.edge,
                              .left = from.left, .right = all_[right].next, .left_rank = from.left_rank,
                              .right_rank = from.right_rank + 1});
                if (left != kNoItem && all_[left].next != kNoItem)
                    add(top, {.score = from.score - all_[left].score + all_[all_[left].next].score, .edge = from.edge,
                              .left = all_[left].next, .left_rank = from.left_rank + 1});
                space_.vertices[top].advanced = true;
            }
            steps.pop_back();
            take_best(top);
        }
    }

    // Whether the derivation after this one of the item's vertex has to be found first. A vertex that has advanced and did
    // not find it has no more.
    bool wait_for_next(std::uint32_t derivation, std::uint32_t item) {
        const std::uint32_t vertex = vertex_for(item);
        if (all_[derivation].next != kNoItem || space_.vertices[vertex].advanced) return false;
        space_.steps.push_back(vertex);
        return true;
    }

    Workspace& w_;
    RankingSpace& space_;
    Arena<RankedDerivation>& all_;
    const RuleTable& table_;
    const Score distance_cost_;
};

}  // namespace starccg
