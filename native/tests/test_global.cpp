#include <algorithm>

#include "check.hpp"
#include "world.hpp"

using namespace starccg;

namespace {

// The best score under the model, from the list of all derivations.
Score best_of_all(const RuleTable& table, const World& world, const Options& options, const TreeLstm& model, Workspace& w) {
    Interrupt interrupt;
    Options everything;
    everything.nbest = 1 << 20;
    everything.unary_cost = options.unary_cost;
    Score best = kNone;
    const Result all = search(table, world.sentence(), everything, nullptr, w, interrupt);
    for (const Found& found : all.found) {
        std::vector<Node> nodes = nodes_of(found, all);
        best = std::max(best, score_derivation(table, world.sentence(), nodes, options, &model, w));
    }
    return best;
}

}  // namespace

TEST(global_and_span_decoders_find_the_best_lazily_or_eagerly) {
    Workspace w;
    Interrupt interrupt;
    for (unsigned seed = 0; seed < 120; ++seed) {
        const World world(seed, 1 + static_cast<int>(seed % 4));
        const RuleTable table(world.input);
        const TreeLstm model(world.model());
        Options options;
        options.unary_cost = to_grid(0.1);
        for (const Decoder decoder : {Decoder::span, Decoder::span_forest, Decoder::global}) {
            options.decoder = decoder;
            const Score best = best_of_all(table, world, options, model, w);
            std::int64_t units[2];
            options.grammar_bound = seed % 3 == 1;
            for (const bool lazy : {true, false})
                for (const bool heuristic : {true, false}) {
                    options.lazy = lazy, options.heuristic = heuristic;
                    const Result result = search(table, world.sentence(), options, &model, w, interrupt);
                    CHECK(result.score == best);
                    CHECK(result.found.empty() == (best == kNone));
                    if (heuristic) units[lazy] = result.units;
                }
            CHECK(units[true] <= units[false]);
        }
    }
}

TEST(a_stopped_search_backs_off_below_its_bound) {
    Workspace w;
    Interrupt interrupt;
    for (unsigned seed = 0; seed < 60; ++seed) {
        const World world(seed, 4);
        const RuleTable table(world.input);
        const TreeLstm model(world.model());
        Options options;
        options.decoder = Decoder::global;
        const Result whole = search(table, world.sentence(), options, &model, w, interrupt);
        options.limits.forest = 3;
        const Result stopped = search(table, world.sentence(), options, &model, w, interrupt);
        if (whole.found.empty()) continue;
        CHECK(stopped.stopped == Stop::forest && stopped.decoder == Decoder::supertag);
        CHECK(stopped.score <= whole.score && whole.score <= stopped.upper_bound);
        for (const Decoder decoder : {Decoder::beam, Decoder::rerank}) {
            Options other = options;
            other.limits = {};
            other.decoder = decoder;
            const Result result = search(table, world.sentence(), other, &model, w, interrupt);
            CHECK(result.score <= whole.score && whole.score <= result.upper_bound);
        }
    }
}

TEST(gold_guided_search_finds_what_the_model_prefers_without_violations) {
    Workspace w;
    Interrupt interrupt;
    int found = 0, violated = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        const World world(seed, 4);
        const RuleTable table(world.input);
        const TreeLstm model(world.model());
        Options options;
        options.decoder = Decoder::global;
        options.nbest = 5;
        const Result whole = search(table, world.sentence(), options, &model, w, interrupt);
        for (const Found& each : whole.found) {
            Trace trace;
            search_gold(table, world.sentence(), nodes_of(each, whole), options, model, w, interrupt, trace);
            found += trace.stopped == Stop::gold;
            violated += !trace.violations.empty();
            CHECK(trace.violations.empty() == trace.nodes[0].empty());
            for (const Score value : trace.violations) CHECK(value > 0);
        }
    }
    CHECK(found > 20 && violated > 20);
}
