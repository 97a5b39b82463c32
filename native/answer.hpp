// Words shared by all searches: what is asked, and what is answered.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "score.hpp"

namespace starccg {

enum class Decoder { supertag, supertag_forest, span, span_forest, global, beam, rerank };
enum class Stop { none, forest, agenda, recursive_units, words, seconds, exhausted, interrupted, gold, lost, margin };

struct Limits {
    std::int64_t forest = 500000, agenda = 2000000, recursive_units = 200000, words = 250;
    double seconds = std::numeric_limits<double>::infinity();
};

struct Options {
    Decoder decoder = Decoder::supertag;
    bool heuristic = true, lazy = true, backoff = true;
    bool grammar_bound = false;  // the heuristic of outside.hpp, not only the best tags
    bool ties = false;  // of search_gold: a head that is not gold is a violation even where it only ties with gold
    int nbest = 1, beam = 8;
    Score unary_cost = 0, distance_cost = 0;
    Score backoff_unary_cost = 0, backoff_distance_cost = 0;  // of the back-off in their place
    Limits limits;
};

struct Node {
    std::int32_t rule, category, start, end, left, right;  // children by position in the list, -1 for none
    Score local, global;
};

struct Found {
    std::int32_t root;     // its place in Result::nodes
    std::int32_t rank;     // among the found, as the search gave them
    Score score, upper_bound;
    Score root_score;      // what its root adds to its score; the node itself may be an inner one of another derivation
    bool optimal;
};

struct Result {
    std::vector<Found> found;
    // Children come before parents and are named by place. Derivations share subtrees: each is kept once.
    std::vector<Node> nodes;
    Score score = kNone, upper_bound = kNone;
    bool optimal = false;
    std::int64_t explored = 0, agenda = 0, units = 0;
    Decoder decoder = Decoder::supertag;
    Stop stopped = Stop::none;
    double seconds = 0;

    // Ready for another answer, in the same memory.
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

struct Trace {
    std::vector<std::int32_t> nodes[9];  // rules, categories, lefts, rights, starts, ends, greedy, max, all
    std::vector<Score> violations;
    Stop stopped = Stop::none;
    std::int64_t explored = 0, agenda = 0, units = 0;
    double seconds = 0;

    void clear() {
        for (std::vector<std::int32_t>& column : nodes) column.clear();
        violations.clear();
        stopped = Stop::none;
        explored = agenda = units = 0;
        seconds = 0;
    }
};

enum class EventKind : std::uint8_t { push, rescored, pop, goal };

struct Event {
    EventKind kind;
    std::uint32_t item;
    std::int32_t rule, category, start, end, left, right;
    Score inside, outside, local, global;
};

// How a search learns that it should stop; shared by the threads of a batch.
struct Interrupt {
    std::atomic<bool> stop{false};
    bool (*poll)(void*) = nullptr;  // asked now and then by a search that runs on the calling thread
    void* context = nullptr;
};

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Whether someone asks for an end, or the time is up.
inline Stop must_stop(Interrupt& interrupt, double seconds, Clock::time_point begin) {
    if (interrupt.stop.load(std::memory_order_relaxed)) return Stop::interrupted;
    if (interrupt.poll && interrupt.poll(interrupt.context)) {
        interrupt.stop.store(true);
        return Stop::interrupted;
    }
    return seconds < 1e18 && seconds_since(begin) >= seconds ? Stop::seconds : Stop::none;
}

}  // namespace starccg
