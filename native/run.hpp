// One run of the agenda loop for one request, and what it found: the n best with their proofs.
#pragma once
#include <algorithm>

#include "kbest.hpp"
#include "loop.hpp"

namespace starccg {

struct Request : SearchInput {
    Workspace& w;
    Deadline& deadline;
    std::vector<Event>* events;
    Result& result;
};

// Adds a parse whose nodes are in the result; no other parse scores more than `bound`.
inline void add_found(Result& result, std::int32_t root, Score score, Score bound, Score root_score) {
    bound = std::max(bound, score);
    const auto rank = static_cast<std::int32_t>(result.found.size());
    result.found.push_back({.root = root, .rank = rank, .score = score, .upper_bound = bound, .root_score = root_score,
                            .optimal = score == bound});
}

inline void add_parse(Request& r, std::uint32_t id, Score bound) {
    const Item& item = r.w.items[id];
    const Score root_score = r.table.root_score(item.category);
    if (r.result.nodes.empty()) r.result.nodes.reserve(2 * r.w.tags.words());
    const std::int32_t root = add_tree(r.w, r.options, id, r.result.nodes);
    add_found(r.result, root, item.inside + root_score, bound, root_score);
}

// The best of the complete parses that are on the agenda again with their root scores.
inline std::uint32_t best_waiting(const Request& r) {
    const auto score = [&](std::uint32_t id) { return r.w.items[id].inside + r.table.root_score(r.w.items[id].category); };
    return *std::max_element(r.w.waiting.begin(), r.w.waiting.end(), [&](std::uint32_t a, std::uint32_t b) {
        return score(a) != score(b) ? score(a) < score(b) : a > b;
    });
}

// Adds what a loop has done to the counts of the result. `scored`: it ran recursive units.
inline void count_work(Request& r, const LoopInput& input, bool scored) {
    r.result.explored += input.explored;
    r.result.agenda += static_cast<std::int64_t>(r.w.items.size());
    if (scored) r.result.units += r.w.scorer.units();
}

// A limit of the search itself, not the clock.
inline bool is_limit(Stop stop) { return stop == Stop::forest || stop == Stop::agenda || stop == Stop::recursive_units; }

// Reads the n best off the chart, and continues the search until the list is final.
template <class Loop>
Stop nbest_of_chart(Request& r, LoopInput& input, Loop& loop) {
    Workspace& w = r.w;
    const RuleTable& table = r.table;
    const auto n = static_cast<std::size_t>(r.options.nbest);
    Stop stop = Stop::none;
    for (;;) {
        bool done = w.agenda.empty() || stop != Stop::none;
        const Score head = loop.upper_bound();
        KBest kbest(w, table, r.options.distance_cost);
        Arena<RankedGoal>& list = w.ranking.list;
        list.clear();
        RankedGoal goal;
        PeriodicCheck check(r.deadline, 256, 256);
        while (list.size() < n && kbest.next(goal)) {
            if (const Stop late = check(); late != Stop::none && !list.empty()) {
                stop = late, done = true;
                while (list.size() > 1 && list.back().score < head) list.pop_back();
                break;
            }
            // After a limit, parses that are not proved are left out, except that there must be one.
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
        const Score least = list.size() == n ? list.back().score : kNone;
        stop = loop.run(std::size_t(-1), least, std::max<std::int64_t>(64, input.explored / 4));
        if (stop == Stop::exhausted) stop = Stop::none;  // the agenda is empty: the next list is final
    }
}

template <bool kDynamic, bool kScored>
Stop run_loop(Request& r, const Limits& limits) {
    if (kScored) r.w.scorer.reset(*r.model, r.sentence, is_span_factored(r.options.decoder));
    r.w.bound.forget();
    LoopInput input{.table = r.table, .options = r.options, .limits = limits, .w = r.w, .deadline = r.deadline,
                    .events = r.events};
    if (r.options.grammar_bound && r.options.heuristic && OutsideBound::fits(r.table, r.sentence.words)) {
        // If the time is up before there is a bound, the loop starts without it and stops at its first check point.
        r.w.bound.reset(r.table, r.w.tags, r.options.unary_cost, r.events != nullptr);
        if (r.w.bound.lower_floor(r.deadline)) input.bound = &r.w.bound;
    }
    Loop<kDynamic, kScored> loop(input);
    const std::size_t target = kDynamic ? 1 : static_cast<std::size_t>(r.options.nbest);
    Stop stop = loop.run(target, kNone, -1);
    if (r.w.complete.empty()) {
        if (is_limit(stop)) loop.refine_at_end();
        if (stop != Stop::interrupted && !r.w.waiting.empty()) add_parse(r, best_waiting(r), loop.upper_bound());
    } else if (kDynamic && r.options.nbest > 1) {
        stop = nbest_of_chart(r, input, loop);
    } else {
        for (const std::uint32_t id : r.w.complete) add_parse(r, id, kNone);
        if (stop == Stop::exhausted) stop = Stop::none;  // there are no more parses than these: that is proved
    }
    count_work(r, input, kScored);
    r.result.upper_bound = loop.upper_bound();
    return stop;
}

// Adds the parse of the back-off, with the scores of the model that was asked for; see backoff.cpp.
void back_off(Request& r);

}  // namespace starccg
