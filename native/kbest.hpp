// The n best derivations of a finished chart (Huang and Chiang 2005, algorithm 3: lazy, from the top).
//
// A vertex is a signature; its hyperedges were all recorded by the search with the inside score of their best
// derivation. Only what the list needs is ever ranked.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "search.hpp"

namespace starccg {

template <class PlaceOf>
class KBest {
public:
    struct Candidate {
        Score score;
        std::uint32_t edge;         // the item that stands for the hyperedge
        std::uint32_t left, right;  // which derivation of each child
        std::int32_t packed = -1;   // where its node was put, once it was
    };

    // `place_of(id)` finds the signature's place of an item.
    KBest(Workspace& w, const RuleTable& table, const PlaceOf& place_of)
        : w_(w), table_(table), place_of_(place_of), vertex_of_(w.items.size(), kNoItem) {
        for (const std::uint32_t id : w.complete) goal_.push_back({w.items[id].inside + root_score(id), id, 0, 0, -1});
        std::make_heap(goal_.begin(), goal_.end(), after);
    }

    // The next complete derivation, or false if there is none. `edge` is a complete item, `left` a rank under it.
    bool next(Candidate& out) {
        if (goal_.empty()) return false;
        std::pop_heap(goal_.begin(), goal_.end(), after);
        out = goal_.back();
        goal_.pop_back();
        const std::uint32_t vertex = vertex_for(out.edge);
        if (reach(vertex, out.left + 1)) {
            const Score score = vertices_[vertex].found[out.left + 1].score + root_score(out.edge);
            goal_.push_back({score, out.edge, out.left + 1, 0, -1});
            std::push_heap(goal_.begin(), goal_.end(), after);
        }
        return true;
    }

    // Packs the derivation `rank` of `child`: emit(item, left, right) makes a node of places of children, once for each
    // subtree that the list shares.
    template <class Emit>
    std::int32_t pack(std::uint32_t child, std::uint32_t rank, Emit& emit) {
        const std::uint32_t vertex = vertex_for(child);
        reach(vertex, rank);
        const Candidate chosen = vertices_[vertex].found[rank];
        if (chosen.packed >= 0) return chosen.packed;
        const Item& item = w_.items[chosen.edge];
        std::int32_t left = -1, right = -1;
        if (!item.is_leaf()) left = pack(item.left, chosen.left, emit);
        if (!item.is_leaf() && !item.is_unary()) right = pack(item.right, chosen.right, emit);
        return vertices_[vertex].found[rank].packed = emit(chosen.edge, left, right);
    }

private:
    struct Vertex {
        std::vector<Candidate> found, heap;
        std::size_t advanced = 0;  // how many of `found` have put their successors on the heap
    };

    Score root_score(std::uint32_t id) const { return table_.root_score(w_.items[id].category); }

    // Whether a comes after b: by score, then the older hyperedge, then the better left child.
    static bool after(const Candidate& a, const Candidate& b) {
        if (a.score != b.score) return a.score < b.score;
        if (a.edge != b.edge) return a.edge > b.edge;
        return a.left != b.left ? a.left > b.left : a.right > b.right;
    }

    std::uint32_t vertex_for(std::uint32_t id) {
        if (vertex_of_[id] != kNoItem) return vertex_of_[id];
        const auto vertex = static_cast<std::uint32_t>(vertices_.size());
        vertices_.emplace_back();
        std::vector<Candidate>& heap = vertices_.back().heap;
        for (std::uint32_t e = place_of_(w_.items[id]).edges; e != kNoItem; e = w_.edge_before[e])
            heap.push_back({w_.items[e].inside, e, 0, 0, -1});
        std::make_heap(heap.begin(), heap.end(), after);
        return vertex_of_[id] = vertex;
    }

    bool reach(std::uint32_t index, std::uint32_t rank) {
        Vertex& vertex = vertices_[index];
        while (vertex.found.size() <= rank) {
            if (vertex.advanced < vertex.found.size()) advance(vertex, vertex.found[vertex.advanced++]);
            if (vertex.heap.empty()) return false;
            std::pop_heap(vertex.heap.begin(), vertex.heap.end(), after);
            vertex.found.push_back(vertex.heap.back());
            vertex.heap.pop_back();
        }
        return true;
    }

    // (l, r) is followed by (l, r + 1), and if r is 0 by (l + 1, 0): each pair is reached in exactly one way.
    void advance(Vertex& vertex, const Candidate from) {
        const Item item = w_.items[from.edge];
        if (item.is_leaf()) return;
        if (!item.is_unary()) step(vertex, from, item.right, from.right, {0, from.edge, from.left, from.right + 1, -1});
        if (from.right == 0) step(vertex, from, item.left, from.left, {0, from.edge, from.left + 1, 0, -1});
    }

    void step(Vertex& vertex, const Candidate& from, std::uint32_t child, std::uint32_t rank, Candidate to) {
        const std::uint32_t index = vertex_for(child);
        if (!reach(index, rank + 1)) return;
        const std::vector<Candidate>& found = vertices_[index].found;
        to.score = from.score - found[rank].score + found[rank + 1].score;
        vertex.heap.push_back(to);
        std::push_heap(vertex.heap.begin(), vertex.heap.end(), after);
    }

    Workspace& w_;
    const RuleTable& table_;
    const PlaceOf& place_of_;
    std::vector<std::uint32_t> vertex_of_;
    std::deque<Vertex> vertices_;  // references stay good while it grows
    std::vector<Candidate> goal_;
};

}  // namespace starccg
