#include <stdexcept>

#include "batch.hpp"
#include "check.hpp"
#include "world.hpp"

using namespace starccg;

TEST(answers_do_not_depend_on_the_number_of_threads) {
    const World grammar(5, 1);
    const RuleTable table(grammar.input);
    const TreeLstm model(grammar.model());
    std::vector<World> worlds;
    for (unsigned seed = 0; seed < 60; ++seed) worlds.emplace_back(seed * 2 + 1, static_cast<int>(seed % 7));
    Options options;
    options.decoder = Decoder::global;
    options.nbest = 3;
    options.limits.forest = 2000;
    std::vector<Result> first;
    for (const int threads : {1, 2, 4}) {
        std::vector<Result> results(worlds.size());
        std::vector<std::size_t> order;
        WorkspacePool pool;
        Interrupt interrupt;
        std::size_t failed;
        run_batch(
            worlds.size(), threads, pool, interrupt,
            [&](std::size_t i, Workspace& w, Interrupt& stop) {
                results[i] = search(table, worlds[i].sentence(), options, &model, w, stop);
            },
            [&](std::size_t i) { order.push_back(i); }, [] {}, failed);
        CHECK(order.size() == worlds.size() && std::is_sorted(order.begin(), order.end()));
        if (first.empty()) first = results;
        for (std::size_t i = 0; i < results.size(); ++i) {
            CHECK(results[i].score == first[i].score && results[i].explored == first[i].explored);
            CHECK(results[i].found.size() == first[i].found.size());
        }
    }
}

TEST(an_error_in_one_sentence_ends_the_batch_and_says_which) {
    WorkspacePool pool;
    Interrupt interrupt;
    std::size_t failed = 0;
    bool thrown = false;
    try {
        run_batch(
            100, 3, pool, interrupt,
            [](std::size_t i, Workspace&, Interrupt&) {
                if (i == 37) throw std::invalid_argument("bad");
            },
            [](std::size_t i) { CHECK(i < 37); }, [] {}, failed);
    } catch (const std::invalid_argument&) {
        thrown = true;
    }
    CHECK(thrown && failed == 37);
}

TEST(an_interrupt_ends_the_batch) {
    WorkspacePool pool;
    Interrupt interrupt;
    std::size_t failed = 0;
    bool thrown = false;
    try {
        run_batch(
            1000000, 2, pool, interrupt, [](std::size_t, Workspace&, Interrupt&) {}, [](std::size_t) {},
            [] { throw std::runtime_error("Ctrl-C"); }, failed);
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown && interrupt.stop.load());
}
