// The searches, for one sentence.
#pragma once
#include <vector>

#include "result.hpp"
#include "rule_table.hpp"
#include "sentence.hpp"
#include "tree_lstm.hpp"
#include "workspace.hpp"

namespace starccg {

struct SearchInput {
    const RuleTable& table;
    SentenceView sentence;
    const Options& options;
    const TreeLstm* model;  // null: none
};

// Parses one sentence, with back-off and certificate. `events`, if given, takes every push and pop.
void search(const SearchInput& input, Workspace& workspace, Interrupt& interrupt, Result& result,
            std::vector<Event>* events = nullptr);

inline Result search(const SearchInput& input, Workspace& workspace, Interrupt& interrupt,
                     std::vector<Event>* events = nullptr) {
    Result result;
    search(input, workspace, interrupt, result, events);
    return result;
}

// What the loops over one sentence are given: the agenda loop and the beam search. They count what they explore.
struct LoopInput {
    const RuleTable& table;
    const Options& options;
    const Limits& limits;
    Workspace& w;
    Deadline& deadline;
    std::vector<Event>* events = nullptr;
    GoldGuide* gold = nullptr;
    OutsideBound* bound = nullptr;  // none: the agenda loop bounds by the best tags
    std::int64_t explored = 0;
};

// Bottom-up beam search (the paper's Table 5): of each span the `beam_size` best subtrees. Fills w.items and w.complete (best
// first). Stop::none if a complete parse was found. With the global model w.scorer must be ready for the sentence. Without it
// this is the last resort of the back-off: its time and memory are bounded by the length alone. With a bound the subtrees of a
// span are ordered by inside + outside, not by inside scores, and those that fit into no complete parse are dropped.
Stop beam_search(LoopInput& input, bool with_model);

// Algorithm 1. The gold derivation's nodes need rule, category, start, end, left and right.
void search_gold(const SearchInput& input, const std::vector<Node>& gold, Workspace& workspace, Interrupt& interrupt,
                 Trace& trace);

// Fills in the scores of a derivation's nodes under options.decoder and returns their sum.
Score score_derivation(const SearchInput& input, std::vector<Node>& nodes, Workspace& workspace);

}  // namespace starccg
