// What a search gives back: parses with their proofs, traces to learn from, recorded events.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "deadline.hpp"
#include "options.hpp"
#include "score.hpp"

namespace starccg {

struct Node {
    std::int32_t rule, category, start, end, left, right;  // children by position in the list, -1 for none
    Score local, global;
};

struct Found {
    std::int32_t root;  // its place in Result::nodes
    std::int32_t rank;  // among the found, as the search gave them
    Score score, upper_bound;
    Score root_score;  // what its root adds to its score; the node itself may be an inner one of another derivation
    bool optimal;
};

struct Result {
    std::vector<Found> found;
    // Children come before parents and are named by place. Derivations share subtrees: each is kept once.
    std::vector<Node> nodes;
    Score score = kNone, upper_bound = kNone;
    Score pruned_bound = kUnknown;  // no parse with a tag that was not kept scores more
    bool optimal = false;
    std::int64_t explored = 0, agenda = 0, units = 0;
    Decoder decoder = Decoder::supertag;
    Stop stopped = Stop::none;
    double seconds = 0;

    // Ready for another result, in the same memory.
    void clear() {
        std::vector<Found> kept_found = std::move(found);
        std::vector<Node> kept_nodes = std::move(nodes);
        kept_found.clear(), kept_nodes.clear();
        *this = Result{};
        found = std::move(kept_found), nodes = std::move(kept_nodes);
    }
};

// The nodes of one found derivation alone, the root last.
std::vector<Node> nodes_of(const Found& found, const Result& result);

// A violation of the agenda: the fully scored item at its head, and the best gold item on it.
struct Violation {
    Score value;
    std::uint32_t top, gold;
};

// The nodes that the violations of a gold-guided search speak of, as columns, and their coefficients in the three losses.
struct Trace {
    std::vector<std::int32_t> rules, categories, lefts, rights, starts, ends, greedy, max, all;
    std::vector<Score> violations;
    Stop stopped = Stop::none;
    std::int64_t explored = 0, agenda = 0, units = 0;
    double seconds = 0;
};

enum class EventKind : std::uint8_t { push, rescored, pop, goal };

struct Event {
    EventKind kind;
    std::uint32_t item;
    std::int32_t rule, category, start, end, left, right;
    Score inside, outside, local, global;
};

}  // namespace starccg
