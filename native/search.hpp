// The searches, for one sentence.
#pragma once
#include <vector>

#include "answer.hpp"
#include "rule_table.hpp"
#include "sentence.hpp"
#include "tree_lstm.hpp"
#include "workspace.hpp"

namespace starccg {

// Answers for one sentence, with back-off and certificate. `events`, if given, takes every push and pop.
void search(const RuleTable& table, const SentenceView& sentence, const Options& options, const TreeLstm* model,
            Workspace& workspace, Interrupt& interrupt, Result& result, std::vector<Event>* events = nullptr);

inline Result search(const RuleTable& table, const SentenceView& sentence, const Options& options, const TreeLstm* model,
                     Workspace& workspace, Interrupt& interrupt, std::vector<Event>* events = nullptr) {
    Result result;
    search(table, sentence, options, model, workspace, interrupt, result, events);
    return result;
}

// Algorithm 1. The gold derivation's nodes need rule, category, start, end, left and right.
void search_gold(const RuleTable& table, const SentenceView& sentence, const std::vector<Node>& gold,
                 const Options& options, const TreeLstm& model, Workspace& workspace, Interrupt& interrupt, Trace& trace);

// Fills in the scores of a derivation's nodes under options.decoder and returns their sum.
Score score_derivation(const RuleTable& table, const SentenceView& sentence, std::vector<Node>& nodes,
                       const Options& options, const TreeLstm* model, Workspace& workspace);

}  // namespace starccg
