// Words shared by all searches: what is asked, what is answered, and the workspace that a thread reuses.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "agenda.hpp"
#include "chart.hpp"
#include "grid.hpp"
#include "rule_table.hpp"
#include "score.hpp"
#include "sentence.hpp"
#include "tree_lstm.hpp"

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
    std::vector<Node> nodes;   // of n-best lists empty until unpacked
    std::int32_t packed = -1;  // else the root's place in Result::packed
    Score score = kNone, upper_bound = kNone;
    bool optimal = false;
    Score root = 0;  // the root's score, which packed nodes do not hold: there it may be an inner node as well
};

struct Result {
    std::vector<Found> found;
    // The derivations of an n-best list share most of their subtrees: each is kept once, with children by place.
    std::vector<Node> packed;
    Score score = kNone, upper_bound = kNone;
    bool optimal = false;
    std::int64_t explored = 0, agenda = 0, units = 0;
    Decoder decoder = Decoder::supertag;
    Stop stopped = Stop::none;
    double seconds = 0;
};

// The nodes of one found derivation, children before parents.
std::vector<Node> nodes_of(const Found& found, const std::vector<Node>& packed);

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

// States [c | h] of scored items, in blocks that never move.
class StatePool {
public:
    void reset(int floats) {
        if (floats != floats_ || blocks_.size() > 64) blocks_.clear();
        floats_ = floats;
        used_ = 0;
    }
    std::uint32_t add() {
        if (used_ == blocks_.size() * kBlock) blocks_.push_back(aligned_floats(static_cast<std::size_t>(kBlock) * floats_));
        return used_++;
    }
    float* at(std::uint32_t i) { return blocks_[i / kBlock].get() + static_cast<std::size_t>(i % kBlock) * floats_; }
    std::size_t bytes() const { return blocks_.size() * kBlock * floats_ * sizeof(float); }

private:
    static constexpr std::uint32_t kBlock = 1024;
    std::vector<AlignedFloats> blocks_;
    std::uint32_t used_ = 0;
    int floats_ = 0;
};

// The global model at work on one sentence: runs units, remembers states, shares and (span-factored) whole scores.
class GlobalScorer {
public:
    // `span_factored`: a unit reads the words at the edges of its span, not its children.
    void reset(const TreeLstm& model, const SentenceView& sentence, bool span_factored);
    // s_global of item `id`; its children must have been scored. Counts a unit if one is run.
    Score score(const std::vector<Item>& items, std::uint32_t id);
    std::int64_t units() const { return units_; }
    std::size_t bytes() const { return states_.bytes() + memo_.bytes(); }

private:
    const float* word_state(int word, int side) const { return words_.data() + (2L * word + side) * model_->state_floats(); }

    const TreeLstm* model_ = nullptr;
    bool span_factored_ = false;
    std::vector<float> words_;  // per word: forward [c | h], backward [c | h], padded
    StatePool states_;
    std::vector<std::uint32_t> state_of_;  // of items
    ShareCache shares_;
    Places memo_;  // span-factored: (span, category, rule) -> score, kept in `best`
    std::vector<float> scratch_;
    std::int64_t units_ = 0;
};

// A hyperedge that is better than what its place holds.
struct Better {
    Score inside;
    const BinaryEntry* rule;
    int length;  // of the partner
    std::uint32_t partner;
    std::uint32_t entered;  // when the partner entered the chart
};

// All the memory that one thread needs, kept from sentence to sentence.
struct Workspace {
    TaggedWords tags;
    Agenda agenda;
    Chart chart;
    Places places;
    Grid grid;
    std::vector<Better> better;
    std::vector<Item> items;
    std::vector<std::uint32_t> edge_before;  // n-best: chains of the hyperedges of one signature
    std::vector<std::uint32_t> complete;     // complete parses in the order they were popped
    std::vector<std::uint32_t> waiting;      // those that went back on the agenda with their root score
    GlobalScorer scorer;

    // After an unusually large sentence the memory is given back.
    void trim();
};

// Answers for one sentence, with back-off and certificate. `events`, if given, takes every push and pop.
Result search(const RuleTable& table, const SentenceView& sentence, const Options& options, const TreeLstm* model,
              Workspace& workspace, Interrupt& interrupt, std::vector<Event>* events = nullptr);

// Algorithm 1. The gold derivation's nodes need rule, category, start, end, left and right.
Trace search_gold(const RuleTable& table, const SentenceView& sentence, const std::vector<Node>& gold,
                  const Options& options, const TreeLstm& model, Workspace& workspace, Interrupt& interrupt);

// Fills in the scores of a derivation's nodes under options.decoder and returns their sum.
Score score_derivation(const RuleTable& table, const SentenceView& sentence, std::vector<Node>& nodes,
                       const Options& options, const TreeLstm* model, Workspace& workspace);

}  // namespace starccg
