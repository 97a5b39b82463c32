#include "search.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "beam.hpp"
#include "kbest.hpp"
#include "loop.hpp"

namespace starccg {
namespace {

bool needs_model(Decoder decoder) { return decoder != Decoder::supertag && decoder != Decoder::supertag_forest; }
bool is_span_factored(Decoder decoder) { return decoder == Decoder::span || decoder == Decoder::span_forest; }

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

std::int32_t read_tree(const Workspace& w, const Options& options, std::uint32_t id, std::vector<Node>& nodes);

// Appends a node for an item whose children are already there.
std::int32_t emit(const Workspace& w, const Options& options, std::uint32_t id, std::int32_t left, std::int32_t right,
                  std::vector<Node>& nodes) {
    const Item& item = w.items[id];
    Score local, global;
    split_score(w, options, item, local, global);
    nodes.push_back({item.rule, item.category, item.start, item.end, left, right, local, global});
    return static_cast<std::int32_t>(nodes.size()) - 1;
}

std::int32_t read_tree(const Workspace& w, const Options& options, std::uint32_t id, std::vector<Node>& nodes) {
    const Item& item = w.items[id];
    std::int32_t left = -1, right = -1;
    if (!item.is_leaf()) left = read_tree(w, options, item.left, nodes);
    if (!item.is_leaf() && !item.is_unary()) right = read_tree(w, options, item.right, nodes);
    return emit(w, options, id, left, right, nodes);
}

// Rescores a derivation: each node's global score, and the sum of all scores.
Score rescore(std::vector<Node>& nodes, const SentenceView& sentence, const TreeLstm& model, bool span_factored,
              GlobalScorer& scorer) {
    scorer.reset(model, sentence, span_factored);
    std::vector<Item> items;
    Score total = 0;
    for (Node& node : nodes) {
        Item item{};
        item.left = node.left < 0 ? kNoItem : static_cast<std::uint32_t>(node.left);
        item.right = node.left < 0 ? 0 : node.right < 0 ? kNoItem : static_cast<std::uint32_t>(node.right);
        item.start = static_cast<std::uint16_t>(node.start), item.end = static_cast<std::uint16_t>(node.end);
        item.category = static_cast<std::uint16_t>(node.category), item.rule = static_cast<std::uint8_t>(node.rule);
        items.push_back(item);
        node.global = scorer.score(items, static_cast<std::uint32_t>(items.size()) - 1);
        total += node.local + node.global;
    }
    return total;
}

[[noreturn]] void refuse_node(std::size_t node, const char* what) {
    throw std::invalid_argument("derivation, node " + std::to_string(node) + ": " + what);
}

// Fills in the local scores of a derivation's nodes, and no global ones; returns their sum. Throws
// std::invalid_argument where the table or the sentence's tags do not license a node.
Score score_locally(const RuleTable& table, const TaggedWords& tags, const Options& options, std::vector<Node>& nodes) {
    std::vector<int> heads;
    Score total = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        if (node.category < 0 || node.category >= table.categories()) refuse_node(i, "no such category");
        if (node.rule < 0 || node.rule >= table.types()) refuse_node(i, "no such rule type");
        node.global = 0;
        if (node.left < 0) {
            heads.push_back(node.start);
            int rank = 0;
            while (rank < tags.tags(node.start) && tags.tag(node.start, rank).category != node.category) ++rank;
            if (rank == tags.tags(node.start)) refuse_node(i, "the word does not have this tag");
            node.local = tags.tag(node.start, rank).score;
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

struct Request {
    const RuleTable& table;
    const SentenceView& sentence;
    const Options& options;
    const TreeLstm* model;
    Workspace& w;
    Interrupt& interrupt;
    std::vector<Event>* events;
    Clock::time_point begin;
    Result& result;
};

// A complete parse with its root score, and no parse known to be above `bound`.
void add_found(Request& r, std::uint32_t id, const Options& options, Score bound) {
    const Item& item = r.w.items[id];
    const Score root = r.table.root_score(item.category), score = item.inside + root;
    std::vector<Node> nodes;
    nodes.reserve(2 * r.w.tags.words());
    read_tree(r.w, options, id, nodes);
    nodes.back().local += root;
    bound = std::max(bound, score);
    r.result.found.push_back({std::move(nodes), -1, score, bound, score == bound, root});
}

// The n best off the chart, popping on until the list is final.
template <bool kScored>
Stop nbest_of_chart(Request& r, LoopInput& input, Loop<true, kScored>& loop) {
    Workspace& w = r.w;
    const RuleTable& table = r.table;
    const Score distance_cost = r.options.distance_cost;
    const auto place_of = [&w, &table, distance_cost](const Item& item) -> const Place& {
        return w.places.find(span_signature(item.start, item.end) |
                             label(item.category, table.rule_class(item.rule),
                                   table.chain_length_matters() ? item.chain : 0, distance_cost > 0 ? item.head : 0));
    };
    const auto n = static_cast<std::size_t>(r.options.nbest);
    Stop stop = Stop::none;
    for (;;) {
        const bool done = w.agenda.empty() || stop != Stop::none;
        const Score head = w.agenda.empty() ? kNone : w.agenda.head_priority();
        KBest kbest(w, table, place_of);
        using Candidate = typename decltype(kbest)::Candidate;
        std::vector<Candidate> list;
        Candidate candidate;
        while (list.size() < n && kbest.next(candidate)) {
            // Of a search that was cut short, what the agenda might beat is left out, but for the one answer that is needed.
            if (done && candidate.score < head && !list.empty()) break;
            list.push_back(candidate);
        }
        if (done || (list.size() == n && list.back().score >= head)) {
            r.result.found.reserve(list.size());
            const auto add = [&](std::uint32_t id, std::int32_t left, std::int32_t right) {
                return emit(w, r.options, id, left, right, r.result.packed);
            };
            for (const auto& chosen : list) {
                const Score bound = std::max(chosen.score, head), root = table.root_score(w.items[chosen.edge].category);
                const std::int32_t packed = kbest.pack(chosen.edge, chosen.left, add);
                r.result.found.push_back({{}, packed, chosen.score, bound, chosen.score == bound, root});
            }
            return stop == Stop::exhausted ? Stop::none : stop;
        }
        const Score floor = list.size() == n ? list.back().score : kNone;
        stop = loop.run(std::size_t(-1), floor, std::max<std::int64_t>(64, input.explored / 4));
        if (stop == Stop::exhausted) stop = Stop::none;  // the agenda is empty: the next list is final
    }
}

// A limit came while complete parses waited with their root scores: the best of them is no proved answer, but one.
std::uint32_t best_waiting(const Request& r) {
    const auto score = [&](std::uint32_t id) { return r.w.items[id].inside + r.table.root_score(r.w.items[id].category); };
    return *std::max_element(r.w.waiting.begin(), r.w.waiting.end(), [&](std::uint32_t a, std::uint32_t b) {
        return score(a) != score(b) ? score(a) < score(b) : a > b;
    });
}

template <bool kDynamic, bool kScored>
Stop run_loop(Request& r, const Limits& limits) {
    if (kScored) r.w.scorer.reset(*r.model, r.sentence, is_span_factored(r.options.decoder));
    LoopInput input{r.table, r.options, limits, r.w, r.interrupt, r.begin, r.events};
    Loop<kDynamic, kScored> loop(input);
    const std::size_t target = kDynamic ? 1 : static_cast<std::size_t>(r.options.nbest);
    Stop stop = loop.run(target, kNone, -1);
    if (!r.w.complete.empty()) {
        if constexpr (kDynamic) {
            if (r.options.nbest > 1) stop = nbest_of_chart<kScored>(r, input, loop);
        }
        if (!kDynamic || r.options.nbest == 1) {
            for (const std::uint32_t id : r.w.complete) add_found(r, id, r.options, kNone);
            if (stop == Stop::exhausted) stop = Stop::none;  // there are no more parses than these: that is proved
        }
    } else if (stop != Stop::interrupted && !r.w.waiting.empty()) {
        add_found(r, best_waiting(r), r.options, r.w.agenda.head_priority());
    }
    r.result.explored += input.explored;
    r.result.agenda += static_cast<std::int64_t>(r.w.items.size());
    if (kScored) r.result.units += r.w.scorer.units();
    r.result.upper_bound = r.w.agenda.empty() ? kNone : r.w.agenda.head_priority();
    return stop;
}

// However long the sentence, the exact back-off holds no more items than this: a few hundred megabytes. Head words in
// the signatures multiply them; where the tie-break by distance takes more than a quarter of the room it is left out.
constexpr std::int64_t kBackOffAgenda = 4000000;

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

// The supertag-factored search, exact if there is room; `bound` falls to what it proves of the scores asked for.
Stop back_off_exactly(Request& r, Options& options, Result& own, Score& bound) {
    const std::int64_t room = std::max(kBackOffAgenda, r.options.limits.agenda);
    Stop stop = Stop::none;
    for (const std::int64_t agenda : {room / 4, room}) {
        if (agenda < room && options.distance_cost == 0) continue;
        r.w.trim();
        r.w.tags.read(r.sentence, r.table, true);
        own = Result{};
        Request inner{r.table, r.sentence, options, nullptr, r.w, r.interrupt, nullptr, Clock::now(), own};
        stop = run_loop<true, false>(inner, {kAny, agenda, kAny, kAny, r.options.limits.seconds});
        r.result.explored += own.explored;
        r.result.agenda += own.agenda;
        // Global scores are never positive, so the best without them is a bound on the best with them; but not where
        // the back-off takes off more for its tie-breaks than was asked for.
        if (options.unary_cost <= r.options.unary_cost && options.distance_cost <= r.options.distance_cost)
            bound = std::min(bound, own.found.empty() ? own.upper_bound : own.found.front().upper_bound);
        if (stop == Stop::exhausted) bound = kNone;
        if (stop != Stop::agenda || !own.found.empty()) break;
        options.distance_cost = 0;
    }
    return stop;
}

// The supertag-factored answer with the scores of the model that was asked for. Where even that search is too large
// (hundreds of words with flat tags) the beam gives some parse, and the head of the agenda still gives a bound.
void back_off(Request& r) {
    Score bound = r.result.upper_bound;
    Options options = r.options;
    options.decoder = Decoder::supertag;
    options.nbest = 1;
    options.heuristic = true;
    options.unary_cost = r.options.backoff_unary_cost, options.distance_cost = r.options.backoff_distance_cost;
    Result own;
    const Stop stop = back_off_exactly(r, options, own, bound);
    r.result.decoder = Decoder::supertag;
    if (own.found.empty() && stop != Stop::exhausted && stop != Stop::interrupted) {
        std::int64_t explored = 0;
        const Limits limits{kAny, kAny, kAny, kAny, r.options.limits.seconds};
        r.w.trim();
        r.w.tags.read(r.sentence, r.table, true);
        options.beam = std::max(options.beam, 24);
        options.distance_cost = r.options.backoff_distance_cost;
        beam_search(r.table, options, limits, false, r.w, r.interrupt, Clock::now(), explored);
        r.result.explored += explored;
        r.result.agenda += static_cast<std::int64_t>(r.w.items.size());
        r.result.decoder = Decoder::beam;
        Request inner{r.table, r.sentence, options, nullptr, r.w, r.interrupt, nullptr, r.begin, own};
        if (!r.w.complete.empty()) add_found(inner, r.w.complete.front(), options, bound);
    }
    r.result.upper_bound = bound;
    if (own.found.empty()) {
        r.result.decoder = r.options.decoder;
        if (r.interrupt.stop.load()) r.result.stopped = Stop::interrupted;
        return;
    }
    Found& found = own.found.front();
    found.score = score_locally(r.table, r.w.tags, r.options, found.nodes);
    if (needs_model(r.options.decoder)) {
        found.score = rescore(found.nodes, r.sentence, *r.model, is_span_factored(r.options.decoder), r.w.scorer);
        r.result.units += r.w.scorer.units();
    }
    found.upper_bound = bound;
    found.optimal = found.score == found.upper_bound;
    r.result.found.push_back(std::move(found));
}

// Reorders the supertag-factored n best. What is not in the list scores no more than the last of it.
Stop rerank(Request& r) {
    const Stop stop = run_loop<true, false>(r, r.options.limits);
    std::vector<Found>& found = r.result.found;
    if (found.empty()) return stop;
    const bool all = static_cast<int>(found.size()) < r.options.nbest && stop == Stop::none;
    Score bound = all ? kNone : std::max(found.back().score, stop == Stop::none ? kNone : r.result.upper_bound);
    for (Found& each : found) {
        each.nodes = nodes_of(each, r.result.packed);
        each.packed = -1;
        each.score = rescore(each.nodes, r.sentence, *r.model, false, r.w.scorer);
        r.result.units += r.w.scorer.units();
    }
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.score > b.score; });
    for (Found& each : found) {
        // A proof covers a parse only if all before it are proved too, which the order of scores ensures.
        each.optimal = each.score >= bound;
        each.upper_bound = std::max(each.score, bound);
    }
    return stop;
}

Stop beam(Request& r) {
    r.w.scorer.reset(*r.model, r.sentence, false);
    std::int64_t explored = 0;
    const Stop stop = beam_search(r.table, r.options, r.options.limits, true, r.w, r.interrupt, r.begin, explored);
    const std::size_t count = std::min<std::size_t>(r.w.complete.size(), r.options.nbest);
    r.result.upper_bound = r.w.tags.best();
    for (std::size_t i = 0; i < count; ++i) add_found(r, r.w.complete[i], r.options, r.result.upper_bound);
    r.result.explored += explored;
    r.result.agenda += static_cast<std::int64_t>(r.w.items.size());
    r.result.units += r.w.scorer.units();
    return stop;
}

Stop run_decoder(Request& r) {
    switch (r.options.decoder) {
        case Decoder::supertag: return run_loop<true, false>(r, r.options.limits);
        case Decoder::supertag_forest: return run_loop<false, false>(r, r.options.limits);
        case Decoder::span: return run_loop<true, true>(r, r.options.limits);
        case Decoder::span_forest:
        case Decoder::global: return run_loop<false, true>(r, r.options.limits);
        case Decoder::rerank: return rerank(r);
        case Decoder::beam: return beam(r);
    }
    throw std::invalid_argument("no such decoder");
}

void check_options(const Options& options) {
    if (options.nbest < 1) throw std::invalid_argument("nbest must be at least 1");
    if (options.beam < 1) throw std::invalid_argument("beam must be at least 1");
    if (options.unary_cost < 0 || options.distance_cost < 0)
        throw std::invalid_argument("costs must not be negative: the outside bound would not hold");
}

std::int32_t unpack(const std::vector<Node>& packed, std::int32_t at, std::vector<Node>& nodes) {
    Node node = packed[at];
    if (node.left >= 0) node.left = unpack(packed, node.left, nodes);
    if (node.right >= 0) node.right = unpack(packed, node.right, nodes);
    nodes.push_back(node);
    return static_cast<std::int32_t>(nodes.size()) - 1;
}

}  // namespace

std::vector<Node> nodes_of(const Found& found, const std::vector<Node>& packed) {
    if (found.packed < 0) return found.nodes;
    std::vector<Node> nodes;
    unpack(packed, found.packed, nodes);
    nodes.back().local += found.root;
    return nodes;
}

Result search(const RuleTable& table, const SentenceView& sentence, const Options& options, const TreeLstm* model,
              Workspace& w, Interrupt& interrupt, std::vector<Event>* events) {
    Result result;
    result.decoder = options.decoder;
    const Clock::time_point begin = Clock::now();
    check_options(options);
    const bool with_model = needs_model(options.decoder);
    if (with_model) check_model(table, sentence, model);
    w.tags.read(sentence, table, options.heuristic || options.decoder == Decoder::beam);
    if (sentence.words == 0) {
        result.stopped = Stop::exhausted;
        return result;
    }
    Request request{table, sentence, options, model, w, interrupt, events, begin, result};
    if (sentence.words > kMaxWords || (sentence.words > options.limits.words && options.decoder != Decoder::supertag)) {
        result.stopped = Stop::words;
        result.upper_bound = w.tags.best();
    } else {
        result.stopped = run_decoder(request);
    }
    const bool failed = result.found.empty() && result.stopped != Stop::interrupted;
    // An exhausted agenda is a proof that there is no parse; an exhausted beam is not.
    const bool proved = result.stopped == Stop::exhausted && options.decoder != Decoder::beam;
    if (failed && proved) result.upper_bound = kNone;
    if (failed && !proved && options.backoff && options.decoder != Decoder::supertag && sentence.words <= kMaxWords)
        back_off(request);
    if (!result.found.empty()) {
        const Found& best = result.found.front();
        result.score = best.score, result.upper_bound = best.upper_bound, result.optimal = best.optimal;
    }
    result.seconds = seconds_since(begin);
    return result;
}

Trace search_gold(const RuleTable& table, const SentenceView& sentence, const std::vector<Node>& gold,
                  const Options& options, const TreeLstm& model, Workspace& w, Interrupt& interrupt) {
    Trace trace;
    const Clock::time_point begin = Clock::now();
    check_options(options);
    check_model(table, sentence, &model);
    w.tags.read(sentence, table, options.heuristic);
    if (sentence.words > kMaxWords || sentence.words > options.limits.words) {
        trace.stopped = Stop::words;
        return trace;
    }
    GoldGuide guide(gold, sentence.words);
    w.scorer.reset(model, sentence, is_span_factored(options.decoder));
    LoopInput input{table, options, options.limits, w, interrupt, begin, nullptr, &guide};
    Loop<false, true> loop(input);
    trace.stopped = loop.run(std::size_t(-1), kNone, -1);
    guide.write(w.items, trace);
    trace.explored = input.explored;
    trace.agenda = static_cast<std::int64_t>(w.items.size());
    trace.units = w.scorer.units();
    trace.seconds = seconds_since(begin);
    return trace;
}

Score score_derivation(const RuleTable& table, const SentenceView& sentence, std::vector<Node>& nodes,
                       const Options& options, const TreeLstm* model, Workspace& w) {
    check_options(options);
    if (needs_model(options.decoder)) check_model(table, sentence, model);
    w.tags.read(sentence, table, true);
    GoldGuide shape(nodes, sentence.words);  // checks that it is a derivation
    const Score total = score_locally(table, w.tags, options, nodes);
    if (!needs_model(options.decoder)) return total;
    return rescore(nodes, sentence, *model, is_span_factored(options.decoder), w.scorer);
}

void Workspace::trim() {
    constexpr std::size_t kKeep = 64u << 20;
    if (items.capacity() * sizeof(Item) + chart.bytes() + places.bytes() + grid.bytes() + scorer.bytes() > kKeep) *this = Workspace{};
}

}  // namespace starccg
