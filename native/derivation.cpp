#include "derivation.hpp"

#include <stdexcept>
#include <string>

#include "gold.hpp"

namespace starccg {

void check_model(const RuleTable& table, const SentenceView& sentence, const TreeLstm* model) {
    if (!model) throw std::invalid_argument("this decoder needs a global model");
    if (model->categories() < table.categories())
        throw std::invalid_argument("the model embeds " + std::to_string(model->categories()) + " categories, the table has " +
                                    std::to_string(table.categories()));
    if (model->types() < table.types())
        throw std::invalid_argument("the model has weights for " + std::to_string(model->types()) +
                                    " rule types, the table has " + std::to_string(table.types()));
    if (sentence.words && !sentence.states) throw std::invalid_argument("this decoder needs the leaf states of the sentence");
    if (sentence.words && sentence.cells != model->cells())
        throw std::invalid_argument("leaf states have " + std::to_string(sentence.cells) + " cells, the model " +
                                    std::to_string(model->cells()));
    const std::size_t floats = static_cast<std::size_t>(sentence.words) * 4 * sentence.cells;
    for (std::size_t i = 0; i < floats; ++i)
        if (!std::isfinite(sentence.states[i]))
            throw std::invalid_argument("word " + std::to_string(i / (4 * sentence.cells)) + ": a leaf state is not finite");
}

void check_options(const Options& options) {
    if (options.nbest < 1) throw std::invalid_argument("nbest must be at least 1");
    if (options.beam < 1) throw std::invalid_argument("beam must be at least 1");
    if (options.unary_cost < 0 || options.distance_cost < 0)
        throw std::invalid_argument("costs must not be negative: the outside bound would not hold");
}

std::int32_t add_node(const Workspace& w, const Options& options, std::uint32_t id, std::int32_t left, std::int32_t right,
                      std::vector<Node>& nodes) {
    const Item& item = w.items[id];
    Score local, global;
    split_score(w, options, item, local, global);
    nodes.push_back({item.rule, item.category, item.start, item.end, left, right, local, global});
    return static_cast<std::int32_t>(nodes.size()) - 1;
}

std::int32_t add_tree(const Workspace& w, const Options& options, std::uint32_t id, std::vector<Node>& nodes) {
    const Item& item = w.items[id];
    std::int32_t left = -1, right = -1;
    if (!item.is_leaf()) left = add_tree(w, options, item.left, nodes);
    if (!item.is_leaf() && !item.is_unary()) right = add_tree(w, options, item.right, nodes);
    return add_node(w, options, id, left, right, nodes);
}

namespace {

[[noreturn]] void refuse_node(std::size_t node, const char* what) {
    throw std::invalid_argument("derivation, node " + std::to_string(node) + ": " + what);
}

std::int32_t unpack(const std::vector<Node>& packed, std::int32_t at, std::vector<Node>& nodes) {
    Node node = packed[at];
    if (node.left >= 0) node.left = unpack(packed, node.left, nodes);
    if (node.right >= 0) node.right = unpack(packed, node.right, nodes);
    nodes.push_back(node);
    return static_cast<std::int32_t>(nodes.size()) - 1;
}

}  // namespace

std::vector<Node> nodes_of(const Found& found, const Result& result) {
    std::vector<Node> nodes;
    unpack(result.nodes, found.root, nodes);
    nodes.back().local += found.root_score;
    return nodes;
}

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
            heads.push_back(node.start);
            int rank = 0;
            const int tags = w.tags.tags(node.start);
            while (rank < tags && w.tags.tag(node.start, rank).category != node.category) ++rank;
            if (rank == tags) refuse_node(i, "the word does not have this tag");
            node.local = w.tags.tag(node.start, rank).score;
        } else if (node.right < 0) {
            heads.push_back(heads[node.left]);
            node.local = -options.unary_cost;
        } else {
            const int head = table.head_of(nodes[node.left].category, nodes[node.right].category, node.category, node.rule);
            if (head < 0) refuse_node(i, "the table has no such rule");
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

Score score_derivation(const RuleTable& table, const SentenceView& sentence, std::vector<Node>& nodes,
                       const Options& options, const TreeLstm* model, Workspace& w) {
    check_options(options);
    if (needs_model(options.decoder)) check_model(table, sentence, model);
    w.tags.read(sentence, table, true);
    GoldGuide().reset(nodes, sentence.words);  // checks that it is a derivation
    const Score total = score_locally(table, options, nodes, w);
    if (!needs_model(options.decoder)) return total;
    score_globally(nodes, sentence, *model, is_span_factored(options.decoder), w);
    return w.insides.back();
}

}  // namespace starccg
