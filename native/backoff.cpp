// The back-off: the supertag-factored parser answers where the search that was asked for met a limit.
#include <algorithm>
#include <limits>

#include "beam.hpp"
#include "run.hpp"

namespace starccg {
namespace {

// However long the sentence, the exact back-off holds no more items than this: a few hundred megabytes. Head words in
// the signatures multiply them; where the tie-break by distance takes more than a quarter of the room it is left out.
constexpr std::int64_t kBackOffAgenda = 4000000;

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

// The supertag-factored search, exact if there is room; `bound` falls to what it proves of the scores asked for.
Stop search_exactly(Request& r, Options& options, Result& own, Score& bound) {
    const std::int64_t room = std::max(kBackOffAgenda, r.options.limits.agenda);
    Stop stop = Stop::none;
    for (const std::int64_t agenda : {room / 4, room}) {
        if (agenda < room && options.distance_cost == 0) continue;
        r.w.trim();
        r.w.tags.read(r.sentence, r.table, true);
        own.clear();
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

// Some parse, in time and memory that the length alone decides.
void search_beam(Request& r, Options& options, Result& own, Score bound) {
    std::int64_t explored = 0;
    r.w.trim();
    r.w.tags.read(r.sentence, r.table, true);
    options.beam = std::max(options.beam, 24);
    options.distance_cost = r.options.backoff_distance_cost;
    const Limits limits{kAny, kAny, kAny, kAny, r.options.limits.seconds};
    beam_search(r.table, options, limits, false, r.w, r.interrupt, Clock::now(), explored);
    r.result.explored += explored;
    r.result.agenda += static_cast<std::int64_t>(r.w.items.size());
    r.result.decoder = Decoder::beam;
    Request inner{r.table, r.sentence, options, nullptr, r.w, r.interrupt, nullptr, r.begin, own};
    if (!r.w.complete.empty()) add_parse(inner, r.w.complete.front(), bound);
}

}  // namespace

// Where even the supertag-factored search is too large (hundreds of words with flat tags) the beam gives some parse,
// and the head of the agenda still gives a bound.
void back_off(Request& r) {
    Score bound = r.result.upper_bound;
    Options options = r.options;
    options.decoder = Decoder::supertag;
    options.nbest = 1;
    options.heuristic = true;
    options.grammar_bound = false;  // its grid is quicker
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
        if (r.interrupt.stop.load()) own.stopped = Stop::interrupted;
    } else {
        Score score = score_locally(r.table, r.options, inner.nodes, r.w);
        if (needs_model(r.options.decoder)) {
            score_globally(inner.nodes, r.sentence, *r.model, is_span_factored(r.options.decoder), r.w);
            score = r.w.insides.back();
            own.units += r.w.scorer.units();
        }
        own.nodes.assign(inner.nodes.begin(), inner.nodes.end());
        own.found.push_back({inner.found.front().root, 0, score, bound, 0, score == bound});  // the root's score is in its node
    }
    std::swap(inner, r.w.backed_off);
}

}  // namespace starccg
