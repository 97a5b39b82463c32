#include <algorithm>
#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "world.hpp"

using namespace starccg;

TEST(supertag_decoders_and_their_nbest_lists_equal_enumeration) {
    Workspace w;
    Interrupt interrupt;
    for (unsigned seed = 0; seed < 300; ++seed) {
        const World world(seed, 1 + static_cast<int>(seed % 5));
        const RuleTable table(world.input);
        Options options;
        options.unary_cost = to_grid(0.1 * (seed % 3));
        const std::vector<Score> all = world.all_scores(options.unary_cost);
        for (const Decoder decoder : {Decoder::supertag, Decoder::supertag_forest})
            for (const int nbest : {1, 2, 7, 1000})
                for (const bool heuristic : {true, false}) {
                    options.grammar_bound = seed % 2;
                    options.decoder = decoder, options.nbest = nbest, options.heuristic = heuristic;
                    const Result result = search({table, world.sentence(), options, nullptr}, w, interrupt);
                    CHECK(result.found.size() == std::min<std::size_t>(all.size(), nbest));
                    for (std::size_t i = 0; i < result.found.size(); ++i) {
                        const Found& found = result.found[i];
                        CHECK(found.score == all[i] && found.optimal);
                        std::vector<Node> nodes = nodes_of(found, result);
                        CHECK(score_derivation({table, world.sentence(), options, nullptr}, nodes, w) == found.score);
                    }
                    CHECK(result.stopped == (all.empty() ? Stop::exhausted : Stop::none));
                }
    }
}

TEST(an_empty_sentence_has_no_parse_and_says_so) {
    const World world(1, 0);
    const RuleTable table(world.input);
    Workspace w;
    Interrupt interrupt;
    const Result result = search({table, world.sentence(), Options{}, nullptr}, w, interrupt);
    CHECK(result.found.empty() && result.stopped == Stop::exhausted);
}

TEST(bad_scores_and_tags_are_refused) {
    const auto refused = [](auto change) {
        World world(3, 3);
        change(world);
        const RuleTable table(world.input);
        Workspace w;
        Interrupt interrupt;
        try {
            search({table, world.sentence(), Options{}, nullptr}, w, interrupt);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refused([](World&) {}));
    CHECK(refused([](World& world) { world.log_probabilities[4] = std::numeric_limits<float>::quiet_NaN(); }));
    CHECK(refused([](World& world) { world.log_probabilities[4] = std::numeric_limits<float>::infinity(); }));
    CHECK(refused([](World& world) { world.tags[0] = -1; }));
    CHECK(refused([](World& world) { world.tags[8] = 6; }));
    CHECK(refused([](World& world) { world.offsets[1] = world.offsets[0]; }));
    CHECK(refused([](World& world) { world.offsets[2] = 1; }));
    CHECK(refused([](World& world) { world.offsets[3] = 7; }));
}
