// One run of the agenda loop for one request, and what it found: the n best with their proofs.
#pragma once
#include <algorithm>

#include "kbest.hpp"
#include "loop.hpp"

namespace starccg {

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

// A parse whose nodes are in the result; none is known to be above `bound`.
inline void add_found(Result& result, std::int32_t root, Score score, Score bound, Score root_score) {
    bound = std::max(bound, score);
    const auto rank = static_cast<std::int32_t>(result.found.size());
    result.found.push_back({root, rank, score, bound, root_score, score == bound});
}

inline void add_parse(Request& r, std::uint32_t id, Score bound) {
    const Item& item = r.w.items[id];
    const Score root_score = r.table.root_score(item.category);
    if (r.result.nodes.empty()) r.result.nodes.reserve(2 * r.w.tags.words());
    const std::int32_t root = add_tree(r.w, r.options, id, r.result.nodes);
    add_found(r.result, root, item.inside + root_score, bound, root_score);
}

// A limit came while complete parses waited with their root scores: the best of them is no proved answer, but one.
inline std::uint32_t best_waiting(const Request& r) {
    const auto score = [&](std::uint32_t id) { return r.w.items[id].inside + r.table.root_score(r.w.items[id].category); };
    return *std::max_element(r.w.waiting.begin(), r.w.waiting.end(), [&](std::uint32_t a, std::uint32_t b) {
        return score(a) != score(b) ? score(a) < score(b) : a > b;
    });
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
        Arena<RankedGoal>& list = w.ranking.list;
        list.clear();
        RankedGoal goal;
        while (list.size() < n && kbest.next(goal)) {
            // Of a search that was cut short, what the agenda might beat is left out, but for the one answer that is needed.
            if (done && goal.score < head && !list.empty()) break;
            list.push_back(goal);
        }
        if (done || (list.size() == n && list.back().score >= head)) {
            const auto add = [&](std::uint32_t id, std::int32_t left, std::int32_t right) {
                return add_node(w, r.options, id, left, right, r.result.nodes);
            };
            r.result.found.reserve(list.size());
            for (const RankedGoal& chosen : list)
                add_found(r.result, kbest.pack(chosen.derivation, add), chosen.score, head,
                          table.root_score(w.items[chosen.item].category));
            return stop == Stop::exhausted ? Stop::none : stop;
        }
        const Score floor = list.size() == n ? list.back().score : kNone;
        stop = loop.run(std::size_t(-1), floor, std::max<std::int64_t>(64, input.explored / 4));
        if (stop == Stop::exhausted) stop = Stop::none;  // the agenda is empty: the next list is final
    }
}

template <bool kDynamic, bool kScored>
Stop run_loop(Request& r, const Limits& limits) {
    if (kScored) r.w.scorer.reset(*r.model, r.sentence, is_span_factored(r.options.decoder));
    LoopInput input{r.table, r.options, limits, r.w, r.interrupt, r.begin, r.events};
    if (r.options.grammar_bound && r.options.heuristic && r.sentence.words <= OutsideBound::kMaxWords) {
        // A bound that took too long is not used: the loop will see the clock itself, soon.
        const auto stop = [&] { return must_stop(r.interrupt, limits.seconds, r.begin) != Stop::none; };
        r.w.bound.reset(r.table, r.w.tags, r.options.unary_cost, r.events != nullptr);
        if (r.w.bound.lower_floor(stop)) input.bound = &r.w.bound;
    }
    Loop<kDynamic, kScored> loop(input);
    const std::size_t target = kDynamic ? 1 : static_cast<std::size_t>(r.options.nbest);
    Stop stop = loop.run(target, kNone, -1);
    if (!r.w.complete.empty()) {
        if constexpr (kDynamic) {
            if (r.options.nbest > 1) stop = nbest_of_chart<kScored>(r, input, loop);
        }
        if (!kDynamic || r.options.nbest == 1) {
            for (const std::uint32_t id : r.w.complete) add_parse(r, id, kNone);
            if (stop == Stop::exhausted) stop = Stop::none;  // there are no more parses than these: that is proved
        }
    } else if (stop != Stop::interrupted && !r.w.waiting.empty()) {
        add_parse(r, best_waiting(r), r.w.agenda.head_priority());
    }
    r.result.explored += input.explored;
    r.result.agenda += static_cast<std::int64_t>(r.w.items.size());
    if (kScored) r.result.units += r.w.scorer.units();
    const bool cut = stop != Stop::none && stop != Stop::exhausted;
    r.result.upper_bound = !r.w.agenda.empty() ? r.w.agenda.head_priority() : cut ? r.w.tags.best() : kNone;
    return stop;
}

// The supertag-factored answer with the scores of the model that was asked for; see backoff.cpp.
void back_off(Request& r);

}  // namespace starccg
