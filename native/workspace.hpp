// The memory that a thread reuses from sentence to sentence.
#pragma once
#include <cstdint>

#include "agenda.hpp"
#include "arena.hpp"
#include "chart.hpp"
#include "gold.hpp"
#include "outside.hpp"
#include "result.hpp"
#include "scorer.hpp"
#include "sentence.hpp"
#include "tree_walk.hpp"

namespace starccg {

// A word's tags that wait for a lower floor: the number of the first tag's item, and the rank of the next tag.
struct WaitingTags {
    std::uint32_t first;
    int next;
};

// What kbest.hpp works with.
struct RankedDerivation {
    Score score;
    std::uint32_t edge;                    // the item that stands for its hyperedge
    std::uint32_t left = kNoItem, right = kNoItem;   // the children's derivations; kNoItem: the best ones, not looked up yet
    std::uint32_t left_rank = 0, right_rank = 0;     // which of each child's they are
    std::uint32_t next = kNoItem;                    // the next best of the same vertex, once it is known
    std::uint32_t below = kNoItem, beside = kNoItem; // in the vertex's heap
    std::int32_t packed = -1;                        // where its node was put, once it was
};
struct RankedVertex {
    std::uint32_t heap, first, last;
    bool advanced;  // the last one found has put its successors on the heap
};
struct RankedGoal {
    Score score;
    std::uint32_t item, derivation, rank;
};
struct RankingSpace {
    Arena<RankedDerivation> derivations;
    Arena<RankedVertex> vertices;
    Arena<std::uint32_t> vertex_of;  // of items
    Arena<RankedGoal> goals, list;
    Arena<std::uint32_t> steps;  // the vertices whose next derivation is being found
    Arena<std::uint32_t> to_pack;
};

// What the beam search holds: see beam.cpp.
struct BeamCandidate {
    Item item;
    std::uint32_t age;
    std::uint32_t id;  // in Workspace::items, once scored
    Score rank;        // what it is ordered by
};
struct BeamSpace {
    struct Kept {
        std::size_t begin, end;
    };
    Arena<Kept> spans;
    Arena<std::uint32_t> kept;
    Arena<BeamCandidate> heap;
    Arena<std::uint64_t> labels;
};

// All the memory that one thread needs, kept from sentence to sentence.
struct Workspace {
    TaggedWords tags;
    Agenda agenda;
    Chart chart;
    Places places;
    OutsideBound bound;
    Arena<WaitingTags> waiting_tags;  // by word
    Arena<Item> items;
    Arena<std::uint32_t> edge_before;  // n-best: chains of the hyperedges of one signature
    Arena<std::uint32_t> complete;     // complete parses in the order they were accepted
    Arena<std::uint32_t> waiting;      // those that went back on the agenda with their root score
    GlobalScorer scorer;
    RankingSpace ranking;
    BeamSpace beam;
    Arena<Item> plain;      // a derivation's nodes as items, to be scored
    Arena<Score> insides;   // of those
    Arena<int> heads;
    TreeWalk tree_walk;
    GoldGuide gold;
    Result backed_off;

    // Releases the memory after an unusually large sentence.
    void trim();
};

}  // namespace starccg
