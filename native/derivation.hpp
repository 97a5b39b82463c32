// From items to the nodes of a derivation, and the scores of a derivation that is given.
#pragma once
#include <cstdlib>

#include "search.hpp"

namespace starccg {

struct SplitScore {
    Score local, global;
};

// What an item adds to its children's inside scores.
inline SplitScore split_score(const Workspace& w, const Options& options, const Item& item) {
    Score children = 0, local;
    if (item.is_leaf()) {
        local = w.tags.tag(item.start, static_cast<int>(item.right)).score;
    } else if (item.is_unary()) {
        local = -options.unary_cost;
        children = w.items[item.left].inside;
    } else {
        const Item &left = w.items[item.left], &right = w.items[item.right];
        local = -options.distance_cost * std::abs(left.head - right.head);
        children = left.inside + right.inside;
    }
    return {local, item.inside - children - local};
}

// Appends a node for an item whose children are already there; returns its place.
std::int32_t add_node(const Workspace& w, const Options& options, std::uint32_t id, std::int32_t left, std::int32_t right,
                      std::vector<Node>& nodes);

// Appends a whole subtree; returns the place of its root.
std::int32_t add_tree(Workspace& w, const Options& options, std::uint32_t id, std::vector<Node>& nodes);

// Fills in the local scores of a derivation's nodes, that of the root category included, and no global ones; returns
// their sum. Throws std::invalid_argument where the table or the sentence's tags do not license a node.
Score score_locally(const RuleTable& table, const Options& options, std::vector<Node>& nodes, Workspace& w);

// Fills in the global scores of nodes that may belong to several derivations, each scored once; w.insides then holds
// the sum of all scores of each one's subtree, and w.scorer the units it took.
void score_globally(std::vector<Node>& nodes, const SentenceView& sentence, const TreeLstm& model, bool span_factored,
                    Workspace& w);

// Throws std::invalid_argument if the model does not fit the table or the sentence.
void check_model(const RuleTable& table, const SentenceView& sentence, const TreeLstm* model);

}  // namespace starccg
