#include "derivation.hpp"

#include <stdexcept>
#include <string>

#include "gold.hpp"

namespace starccg {

void check_model(const RuleTable& table, const SentenceView& sentence, const TreeLstm* model) {
    if (!model) throw std::invalid_argument("this decoder needs a global model");
    if (model->categories() < table.categories())
        throw std::invalid_argument("the model embeds " + std::to_string(model->categories()) +
                                    " categories, and the rule table has " + std::to_string(table.categories()));
    if (model->types() < table.types())
        throw std::invalid_argument("the model has weights for " + std::to_string(model->types()) +
                                    " rule types, and the rule table has " + std::to_string(table.types()));
    if (sentence.words && !sentence.states) throw std::invalid_argument("this decoder needs the leaf states of the sentence");
    if (sentence.words && sentence.cells != model->cells())
        throw std::invalid_argument("leaf states have " + std::to_string(sentence.cells) + " cells, and the model has " +
                                    std::to_string(model->cells()));
    const std::size_t floats = static_cast<std::size_t>(sentence.words) * 4 * sentence.cells;
    for (std::size_t i = 0; i < floats; ++i)
        if (!std::isfinite(sentence.states[i]))
            throw std::invalid_argument("word " + std::to_string(i / (4 * sentence.cells)) + ": a leaf state is not finite");
}

std::int32_t add_node(const Workspace& w, const Options& options, std::uint32_t id, std::int32_t left, std::int32_t right,
                      std::vector<Node>& nodes) {
    const Item& item = w.items[id];
    const SplitScore split = split_score(w, options, item);
    nodes.push_back({.rule = item.rule, .category = item.category, .start = item.start, .end = item.end, .left = left,
                     .right = right, .local = split.local, .global = split.global});
    return static_cast<std::int32_t>(nodes.size()) - 1;
}

std::int32_t add_tree(Workspace& w, const Options& options, std::uint32_t id, std::vector<Node>& nodes) {
    return walk_tree(
        w.tree_walk, id,
        [&](std::uint32_t each) -> std::array<std::uint32_t, 2> {
            const Item& item = w.items[each];
            return {item.left, item.is_leaf() ? kNoItem : item.right};
        },
        [&](std::uint32_t each, std::int32_t left, std::int32_t right) {
            return add_node(w, options, each, left, right, nodes);
        });
}

std::vector<Node> nodes_of(const Found& found, const Result& result) {
    std::vector<Node> nodes;
    TreeWalk walk;
    walk_tree(
        walk, static_cast<std::uint32_t>(found.root),
        [&](std::uint32_t each) -> std::array<std::uint32_t, 2> {  // -1 becomes kNoItem
            const Node& node = result.nodes[each];
            return {static_cast<std::uint32_t>(node.left), static_cast<std::uint32_t>(node.right)};
        },
        [&](std::uint32_t each, std::int32_t left, std::int32_t right) {
            Node node = result.nodes[each];
            node.left = left, node.right = right;
            nodes.push_back(node);
            return static_cast<std::int32_t>(nodes.size()) - 1;
        });
    nodes.back().local += found.root_score;
    return nodes;
}

namespace {

[[noreturn]] void refuse_node(std::size_t node, const char* what) {
    throw std::invalid_argument("derivation, node " + std::to_string(node) + ": " + what);
}

}  // namespace

Score score_locally(const RuleTable& table, const Options& options, std::vector<Node>& nodes, Workspace& w) {
    Arena<int>& heads = w.heads;
    heads.clear();
    Score total = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        if (node.category < 0 || node.category >= table.categories()) refuse_node(i, "no such category");
        if (node.rule < 0 || node.rule >= table.types()) refuse_node(i, "no such rule type");
        node.global = 0;
        if (node.left < 0) {
            if (node.rule != kLexicon) refuse_node(i, "a leaf must have the rule type of the lexicon");
            heads.push_back(node.start);
            int rank = 0;
            const int tags = w.tags.tags(node.start);
            while (rank < tags && w.tags.tag(node.start, rank).category != node.category) ++rank;
            if (rank == tags) refuse_node(i, "the word does not have this tag");
            node.local = w.tags.tag(node.start, rank).score;
        } else if (node.right < 0) {
            if (!table.has_unary(nodes[node.left].category, node.category, node.rule))
                refuse_node(i, "the rule table has no such rule");
            heads.push_back(heads[node.left]);
            node.local = -options.unary_cost;
        } else {
            const int head = table.head_of(nodes[node.left].category, nodes[node.right].category, node.category, node.rule);
            if (head < 0) refuse_node(i, "the rule table has no such rule");
            heads.push_back(heads[head ? node.right : node.left]);
            node.local = -options.distance_cost * std::abs(heads[node.left] - heads[node.right]);
        }
        if (i + 1 == nodes.size()) node.local += table.root_score(node.category);
        total += node.local;
    }
    return total;
}

void score_globally(std::vector<Node>& nodes, const SentenceView& sentence, const TreeLstm& model, bool span_factored,
                    Workspace& w) {
    w.scorer.reset(model, sentence, span_factored);
    w.plain.clear();
    w.insides.clear();
    for (Node& node : nodes) {
        Item item{};
        item.left = node.left < 0 ? kNoItem : static_cast<std::uint32_t>(node.left);
        item.right = node.left < 0 ? 0 : node.right < 0 ? kNoItem : static_cast<std::uint32_t>(node.right);
        item.start = static_cast<std::uint16_t>(node.start), item.end = static_cast<std::uint16_t>(node.end);
        item.category = static_cast<std::uint16_t>(node.category), item.rule = static_cast<std::uint8_t>(node.rule);
        w.plain.push_back(item);
        node.global = w.scorer.score(w.plain, static_cast<std::uint32_t>(w.plain.size()) - 1);
        Score inside = node.local + node.global;
        if (node.left >= 0) inside += w.insides[node.left];
        if (node.right >= 0) inside += w.insides[node.right];
        w.insides.push_back(inside);
    }
}

Score score_derivation(const SearchInput& in, std::vector<Node>& nodes, Workspace& w) {
    check_options(in.options);
    if (needs_model(in.options.decoder)) check_model(in.table, in.sentence, in.model);
    w.tags.read(in.sentence, in.table, true);
    GoldGuide().reset(nodes, in.sentence.words);  // checks that it is a derivation
    const Score total = score_locally(in.table, in.options, nodes, w);
    if (!needs_model(in.options.decoder)) return total;
    score_globally(nodes, in.sentence, *in.model, is_span_factored(in.options.decoder), w);
    return w.insides.back();
}

}  // namespace starccg
