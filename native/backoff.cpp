// The back-off answers where a limit stopped the search that was asked for: with the best of the complete parses that
// wait on its agenda and that a beam search under the same model finds; or, without any, with the supertag-factored parser's.
// It takes at most twice the time limit: half for the beams, half for the exact search by tags, one for the last beam.
#include <algorithm>
#include <limits>

#include "run.hpp"

namespace starccg {
namespace {

// However long the sentence, the exact back-off holds no more items than this: a few hundred megabytes. Head words in
// the signatures multiply them; where the tie-break by distance takes more than a quarter of the room it is left out.
constexpr std::int64_t kBackOffAgenda = 4000000;

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr Limits kNoLimits{kAny, kAny, kAny, kAny};  // but the deadline

bool asks_beam(const Request& r) {
    const Decoder decoder = r.options.decoder;
    return r.options.backoff_beam &&
           (decoder == Decoder::global || decoder == Decoder::span || decoder == Decoder::span_forest);
}

// Beam search under the model that was asked for. Its parse replaces one that scores less.
void search_beam_globally(Request& r, OutsideBound* bound, Deadline& deadline) {
    r.w.scorer.reset(*r.model, r.sentence, is_span_factored(r.options.decoder));
    LoopInput input{.table = r.table, .options = r.options, .limits = kNoLimits, .w = r.w, .deadline = deadline,
                    .bound = bound};
    beam_search(input, true);
    count_work(r, input, true);
    if (r.w.complete.empty()) return;
    const Item& best = r.w.items[r.w.complete.front()];
    if (!r.result.found.empty() && best.inside + r.table.root_score(best.category) <= r.result.found.front().score) return;
    r.result.found.clear();
    r.result.nodes.clear();
    add_parse(r, r.w.complete.front(), r.result.upper_bound);
    r.result.decoder = Decoder::beam;
}

// Two beam searches: one ordered by inside scores alone and, if the search left a bound, one ordered by inside + outside.
// Neither finds the better parse of every sentence.
void search_beams(Request& r) {
    Deadline deadline = r.deadline.renewed(0.5);
    const Score bound = r.result.upper_bound = std::min(r.result.upper_bound, r.w.tags.best());
    for (Found& waited : r.result.found) waited.upper_bound = bound, waited.optimal = waited.score == bound;
    if (r.w.bound.is_filled()) search_beam_globally(r, &r.w.bound, deadline);
    search_beam_globally(r, nullptr, deadline);
}

// The supertag-factored search, exact if there is room; `bound` falls to what it proves of the scores asked for.
Stop search_exactly(Request& r, Options& options, Result& own, Score& bound) {
    const std::int64_t room = std::max(kBackOffAgenda, r.options.limits.agenda);
    Stop stop = Stop::none;
    Deadline deadline = r.deadline.renewed(0.5);
    for (const std::int64_t agenda : {room / 4, room}) {
        if (agenda < room && options.distance_cost == 0) continue;
        r.w.trim();
        r.w.tags.read(r.sentence, r.table, true);
        own.clear();
        Request inner{{r.table, r.sentence, options, nullptr}, r.w, deadline, nullptr, own};
        stop = run_loop<true, false>(inner, {kAny, agenda, kAny, kAny});
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

// Some parse, in time and memory that the length alone decides.
void search_beam(Request& r, Options& options, Result& own, Score bound) {
    r.w.trim();
    r.w.tags.read(r.sentence, r.table, true);
    options.beam_size = std::max(options.beam_size, 24);
    options.distance_cost = r.options.backoff_distance_cost;
    Deadline deadline = r.deadline.renewed();
    LoopInput input{.table = r.table, .options = options, .limits = kNoLimits, .w = r.w, .deadline = deadline};
    beam_search(input, false);
    count_work(r, input, false);
    r.result.decoder = Decoder::beam;
    Request inner{{r.table, r.sentence, options, nullptr}, r.w, deadline, nullptr, own};
    if (!r.w.complete.empty()) add_parse(inner, r.w.complete.front(), bound);
}

// The supertag-factored parser. Where even that search is too large (hundreds of words with flat tags) a beam gives some
// parse, and the head of the agenda still gives a bound.
void search_by_tags(Request& r) {
    Score bound = r.result.upper_bound;
    Options options = r.options;
    options.decoder = Decoder::supertag;
    options.nbest = 1;
    options.heuristic = true;
    options.grammar_bound = false;
    options.unary_cost = r.options.backoff_unary_cost, options.distance_cost = r.options.backoff_distance_cost;
    Result& own = r.result;
    Result inner;
    std::swap(inner, r.w.backed_off);  // its memory is kept from sentence to sentence; the workspace may be trimmed
    const Stop stop = search_exactly(r, options, inner, bound);
    own.decoder = Decoder::supertag;
    if (inner.found.empty() && stop != Stop::exhausted && stop != Stop::interrupted) search_beam(r, options, inner, bound);
    own.upper_bound = bound;
    if (inner.found.empty()) {
        own.decoder = r.options.decoder;
        if (r.deadline.is_interrupted()) own.stopped = Stop::interrupted;
    } else {
        Score score = score_locally(r.table, r.options, inner.nodes, r.w);
        if (needs_model(r.options.decoder)) {
            score_globally(inner.nodes, r.sentence, *r.model, is_span_factored(r.options.decoder), r.w);
            score = r.w.insides.back();
            own.units += r.w.scorer.units();
        }
        own.nodes.assign(inner.nodes.begin(), inner.nodes.end());
        // The root's score is in its node.
        add_found(own, inner.found.front().root, score, bound, 0);
    }
    std::swap(inner, r.w.backed_off);
}

}  // namespace

void back_off(Request& r) {
    if (asks_beam(r)) search_beams(r);
    if (r.result.found.empty()) search_by_tags(r);
}

}  // namespace starccg
