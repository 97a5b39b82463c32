#include "search.hpp"

#include <algorithm>
#include <stdexcept>

#include "beam.hpp"
#include "run.hpp"

namespace starccg {
namespace {

// Reorders the supertag-factored n best. What is not in the list scores no more than the last of it.
Stop rerank(Request& r) {
    const Stop stop = run_loop<true, false>(r, r.options.limits);
    std::vector<Found>& found = r.result.found;
    if (found.empty()) return stop;
    const bool all = static_cast<int>(found.size()) < r.options.nbest && stop == Stop::none;
    const Score bound = all ? kNone : std::max(found.back().score, stop == Stop::none ? kNone : r.result.upper_bound);
    score_globally(r.result.nodes, r.sentence, *r.model, false, r.w);
    r.result.units += r.w.scorer.units();
    for (Found& each : found) each.score = r.w.insides[each.root] + each.root_score;
    std::sort(found.begin(), found.end(),
              [](const Found& a, const Found& b) { return a.score != b.score ? a.score > b.score : a.rank < b.rank; });
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
    for (std::size_t i = 0; i < count; ++i) add_parse(r, r.w.complete[i], r.result.upper_bound);
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

}  // namespace

void search(const RuleTable& table, const SentenceView& sentence, const Options& options, const TreeLstm* model,
            Workspace& w, Interrupt& interrupt, Result& result, std::vector<Event>* events) {
    result.clear();
    result.decoder = options.decoder;
    const Clock::time_point begin = Clock::now();
    check_options(options);
    const bool with_model = needs_model(options.decoder);
    if (with_model) check_model(table, sentence, model);
    w.tags.read(sentence, table, options.heuristic || options.decoder == Decoder::beam);
    if (sentence.words == 0) {
        result.stopped = Stop::exhausted;
        return;
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
}

void search_gold(const RuleTable& table, const SentenceView& sentence, const std::vector<Node>& gold,
                 const Options& options, const TreeLstm& model, Workspace& w, Interrupt& interrupt, Trace& trace) {
    trace.clear();
    const Clock::time_point begin = Clock::now();
    check_options(options);
    check_model(table, sentence, &model);
    w.tags.read(sentence, table, options.heuristic);
    if (sentence.words > kMaxWords || sentence.words > options.limits.words) {
        trace.stopped = Stop::words;
        return;
    }
    GoldGuide& guide = w.gold;
    guide.reset(gold, sentence.words);
    w.scorer.reset(model, sentence, is_span_factored(options.decoder));
    LoopInput input{table, options, options.limits, w, interrupt, begin, nullptr, &guide};
    Loop<false, true> loop(input);
    trace.stopped = loop.run(std::size_t(-1), kNone, -1);
    guide.write(w.items, trace);
    trace.explored = input.explored;
    trace.agenda = static_cast<std::int64_t>(w.items.size());
    trace.units = w.scorer.units();
    trace.seconds = seconds_since(begin);
}

void Workspace::trim() {
    constexpr std::size_t kKeep = 64u << 20;
    if (items.capacity() * sizeof(Item) + chart.bytes() + places.bytes() + grid.bytes() + bound.bytes() + scorer.bytes() +
            ranking.derivations.capacity() * sizeof(RankedDerivation) >
        kKeep)
        *this = Workspace{};
}

}  // namespace starccg
