#include "search.hpp"

#include <algorithm>
#include <stdexcept>

#include "run.hpp"

namespace starccg {
namespace {

// Reorders the `rerank_size` best parses of the supertag-factored parser. No other parse scores more than the last of them.
Stop rerank(Request& r) {
    Options options = r.options;
    options.nbest = std::max(r.options.nbest, r.options.rerank_size);
    Request list{{r.table, r.sentence, options, r.model}, r.w, r.deadline, r.events, r.result};
    const Stop stop = run_loop<true, false>(list, r.options.limits);
    std::vector<Found>& found = r.result.found;
    if (found.empty()) return stop;
    const bool all = static_cast<int>(found.size()) < options.nbest && stop == Stop::none;
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
    if (found.size() > static_cast<std::size_t>(r.options.nbest)) found.resize(r.options.nbest);
    return stop;
}

Stop beam(Request& r) {
    r.w.scorer.reset(*r.model, r.sentence, false);
    LoopInput input{.table = r.table, .options = r.options, .limits = r.options.limits, .w = r.w, .deadline = r.deadline};
    const Stop stop = beam_search(input, true);
    const std::size_t count = std::min<std::size_t>(r.w.complete.size(), r.options.nbest);
    r.result.upper_bound = r.w.tags.best();
    for (std::size_t i = 0; i < count; ++i) add_parse(r, r.w.complete[i], r.result.upper_bound);
    count_work(r, input, true);
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
    throw std::invalid_argument("unknown decoder");
}

// An exception (no memory) leaves the workspace half written, which would harm the next sentence.
template <class Search>
void or_clear(Workspace& w, Search search) {
    try {
        search();
    } catch (...) {
        w = Workspace();
        throw;
    }
}

void search_with(const SearchInput& in, Workspace& w, Interrupt& interrupt, Result& result, std::vector<Event>* events) {
    const Options& options = in.options;
    const SentenceView& sentence = in.sentence;
    result.clear();
    result.decoder = options.decoder;
    Deadline deadline(interrupt, options.limits.seconds, options.counts_checks);
    check_options(options);
    if (needs_model(options.decoder)) check_model(in.table, sentence, in.model);
    w.tags.read(sentence, in.table, options.heuristic || options.decoder == Decoder::beam);
    result.pruned_bound = w.tags.pruned_bound(sentence, in.table);
    if (sentence.words == 0) {
        result.stopped = Stop::exhausted;
        return;
    }
    Request request{in, w, deadline, events, result};
    if (sentence.words > kMaxWords || (sentence.words > options.limits.words && options.decoder != Decoder::supertag)) {
        result.stopped = Stop::words;
        result.upper_bound = w.tags.best();
        w.bound.forget();  // that of an earlier sentence
    } else {
        result.stopped = run_decoder(request);
    }
    const bool has_proved = !result.found.empty() && result.found.front().optimal;
    const bool failed = result.found.empty() && result.stopped != Stop::interrupted;
    // An exhausted agenda is a proof that there is no parse; an exhausted beam is not.
    const bool proved = result.stopped == Stop::exhausted && options.decoder != Decoder::beam;
    if (failed && proved) result.upper_bound = kNone;
    const bool ended = result.stopped == Stop::none || result.stopped == Stop::interrupted;
    if (!ended && !has_proved && !proved && options.backoff && options.decoder != Decoder::supertag &&
        sentence.words <= kMaxWords)
        back_off(request);
    if (!result.found.empty()) {
        const Found& best = result.found.front();
        result.score = best.score, result.upper_bound = best.upper_bound, result.optimal = best.optimal;
    }
    result.seconds = deadline.elapsed();
}

void search_gold_with(const SearchInput& in, const std::vector<Node>& gold, Workspace& w, Interrupt& interrupt, Trace& trace) {
    const int words = in.sentence.words;
    Deadline deadline(interrupt, in.options.limits.seconds, in.options.counts_checks);
    check_options(in.options);
    check_model(in.table, in.sentence, in.model);
    w.tags.read(in.sentence, in.table, in.options.heuristic);
    GoldGuide& guide = w.gold;
    guide.reset(gold, words);
    w.items.clear();
    LoopInput input{.table = in.table, .options = in.options, .limits = in.options.limits, .w = w, .deadline = deadline,
                    .gold = &guide};
    if (words > kMaxWords || words > in.options.limits.words) {
        trace.stopped = Stop::words;
    } else {
        w.scorer.reset(*in.model, in.sentence, is_span_factored(in.options.decoder));
        Loop<false, true> loop(input);
        trace.stopped = loop.run(std::size_t(-1), kNone, -1);
    }
    guide.write(w.items, trace);
    trace.explored = input.explored;
    trace.agenda = static_cast<std::int64_t>(w.items.size());
    trace.units = trace.stopped == Stop::words ? 0 : w.scorer.units();
    trace.seconds = deadline.elapsed();
}

}  // namespace

void search(const SearchInput& in, Workspace& w, Interrupt& interrupt, Result& result, std::vector<Event>* events) {
    or_clear(w, [&] { search_with(in, w, interrupt, result, events); });
}

void search_gold(const SearchInput& in, const std::vector<Node>& gold, Workspace& w, Interrupt& interrupt, Trace& trace) {
    or_clear(w, [&] { search_gold_with(in, gold, w, interrupt, trace); });
}

void Workspace::trim() {
    constexpr std::size_t kKeep = 16u << 20;
    if (items.capacity() * sizeof(Item) + chart.bytes() + places.bytes() + bound.bytes() + scorer.bytes() +
            ranking.derivations.capacity() * sizeof(RankedDerivation) >
        kKeep)
        *this = Workspace{};
}

}  // namespace starccg
