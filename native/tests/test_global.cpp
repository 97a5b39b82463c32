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
    const Result all = search({table, world.sentence(), everything, nullptr}, w, interrupt);
    for (const Found& found : all.found) {
        std::vector<Node> nodes = nodes_of(found, all);
        best = std::max(best, score_derivation({table, world.sentence(), options, &model}, nodes, w));
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
                    const Result result = search({table, world.sentence(), options, &model}, w, interrupt);
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
        const Result whole = search({table, world.sentence(), options, &model}, w, interrupt);
        options.limits.forest = 3;
        if (whole.found.empty()) continue;
        for (const bool beam : {true, false}) {
            options.backoff_beam = beam;
            const Result stopped = search({table, world.sentence(), options, &model}, w, interrupt);
            CHECK(stopped.stopped == Stop::forest && stopped.decoder == (beam ? Decoder::beam : Decoder::supertag));
            CHECK(stopped.score <= whole.score && whole.score <= stopped.upper_bound);
        }
        for (const Decoder decoder : {Decoder::beam, Decoder::rerank}) {
            Options other = options;
            other.limits = {};
            other.decoder = decoder;
            const Result result = search({table, world.sentence(), other, &model}, w, interrupt);
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
        const Result whole = search({table, world.sentence(), options, &model}, w, interrupt);
        for (const Found& each : whole.found) {
            Trace trace;
            search_gold({table, world.sentence(), options, &model}, nodes_of(each, whole), w, interrupt, trace);
            found += trace.stopped == Stop::gold;
            violated += !trace.violations.empty();
            CHECK(trace.violations.empty() == trace.rules.empty());
            for (const Score value : trace.violations) CHECK(value > 0);
        }
    }
    CHECK(found > 20 && violated > 20);
}

// A unit asks for the share of its left child and then for that of its right child, and reads both.
TEST(a_share_is_good_while_the_next_one_is_asked_for) {
    const World world(1, 2);
    const TreeLstm model(world.model());
    ShareCache cache;
    cache.reset(model);
    std::vector<float> state(model.state_floats()), expected(model.share_floats());
    const auto get = [&](std::uint32_t name) {
        std::fill(state.begin(), state.end(), 0.001f * static_cast<float>(name % 1000));
        return cache.get(model, 1, 0, name, state.data());
    };
    std::vector<std::uint32_t> names;  // by place in the cache
    const float* const begin = get(0);
    std::uint32_t fresh = 0;
    do names.push_back(fresh++);
    while (get(fresh) != begin);  // every place is taken, and the first one for the second time
    names[0] = fresh++;
    std::size_t next = 1;  // the place that is written next
    for (int step = 0; step < 1000; ++step) {
        const float* const left = get(names[next]);
        model.share(1, 0, state.data(), expected.data());
        const float* const right = get(fresh);
        CHECK(std::equal(expected.begin(), expected.end(), left));
        const auto taken = static_cast<std::size_t>(right - begin) / expected.size();
        names[taken] = fresh++;
        next = (taken + 1) % names.size();
    }
}
