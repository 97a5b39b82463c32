// The n best derivations of a finished chart (Huang and Chiang 2005, algorithm 3: lazy, from the top).
//
// A vertex is a signature; its hyperedges were all recorded by the search with the inside score of their best
// derivation. Only what the list needs is ever ranked. Derivations lie in one array and name each other by place: the
// ones a vertex has found are a chain, those that come next a pairing heap.
#pragma once
#include <algorithm>
#include <cstdint>

#include "search.hpp"

namespace starccg {

template <class PlaceOf>
class KBest {
public:
    // `place_of(item)` finds the place of an item's signature.
    KBest(Workspace& w, const RuleTable& table, const PlaceOf& place_of)
        : w_(w), space_(w.ranking), all_(w.ranking.derivations), table_(table), place_of_(place_of) {
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
    std::int32_t pack(std::uint32_t derivation, Emit& emit) {
        const RankedDerivation chosen = all_[derivation];
        if (chosen.packed >= 0) return chosen.packed;
        const Item& item = w_.items[chosen.edge];
        std::int32_t left = -1, right = -1;
        if (!item.is_leaf()) left = pack(known(chosen.left, item.left), emit);
        if (!item.is_leaf() && !item.is_unary()) right = pack(known(chosen.right, item.right), emit);
        return all_[derivation].packed = emit(chosen.edge, left, right);
    }

private:
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

    void add(std::uint32_t vertex, Score score, std::uint32_t edge, std::uint32_t left, std::uint32_t right,
             std::uint32_t left_rank, std::uint32_t right_rank) {
        const auto place = static_cast<std::uint32_t>(all_.size());
        all_.push_back({score, edge, left, right, left_rank, right_rank, kNoItem, kNoItem, kNoItem, -1});
        RankedVertex& own = space_.vertices[vertex];
        own.heap = merged(own.heap, place);
    }

    std::uint32_t vertex_for(std::uint32_t id) {
        if (space_.vertex_of[id] != kNoItem) return space_.vertex_of[id];
        const auto vertex = static_cast<std::uint32_t>(space_.vertices.size());
        space_.vertices.push_back({kNoItem, kNoItem, kNoItem, true});
        for (std::uint32_t e = place_of_(w_.items[id]).edges; e != kNoItem; e = w_.edge_before[e])
            add(vertex, w_.items[e].inside, e, kNoItem, kNoItem, 0, 0);
        return space_.vertex_of[id] = vertex;
    }

    std::uint32_t first_of(std::uint32_t vertex) {
        if (space_.vertices[vertex].first == kNoItem) find_one_more(vertex);
        return space_.vertices[vertex].first;
    }
    std::uint32_t next_of(std::uint32_t vertex, std::uint32_t derivation) {
        if (all_[derivation].next == kNoItem) find_one_more(vertex);
        return all_[derivation].next;
    }
    std::uint32_t known(std::uint32_t derivation, std::uint32_t item) {
        return derivation != kNoItem ? derivation : first_of(vertex_for(item));
    }

    void find_one_more(std::uint32_t vertex) {
        if (!space_.vertices[vertex].advanced) {
            space_.vertices[vertex].advanced = true;
            advance(vertex, space_.vertices[vertex].last);
        }
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

    // (l, r) is followed by (l, r + 1), and if r is the best by (l + 1, r): each pair is reached in exactly one way.
    void advance(std::uint32_t vertex, std::uint32_t place) {
        const RankedDerivation from = all_[place];
        const Item item = w_.items[from.edge];
        if (item.is_leaf()) return;
        if (!item.is_unary()) {
            const std::uint32_t child = vertex_for(item.right), now = known(from.right, item.right), then = next_of(child, now);
            if (then != kNoItem)
                add(vertex, from.score - all_[now].score + all_[then].score, from.edge, from.left, then, from.left_rank,
                    from.right_rank + 1);
        }
        if (from.right_rank == 0) {
            const std::uint32_t child = vertex_for(item.left), now = known(from.left, item.left), then = next_of(child, now);
            if (then != kNoItem)
                add(vertex, from.score - all_[now].score + all_[then].score, from.edge, then, kNoItem, from.left_rank + 1, 0);
        }
    }

    Workspace& w_;
    RankingSpace& space_;
    Arena<RankedDerivation>& all_;
    const RuleTable& table_;
    const PlaceOf& place_of_;
};

}  // namespace starccg
