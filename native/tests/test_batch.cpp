#include <stdexcept>

#include "batch.hpp"
#include "check.hpp"
#include "world.hpp"

using namespace starccg;

TEST(results_do_not_depend_on_the_number_of_threads) {
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
        Interrupt interrupt, own_interrupt;
        Batch batch{longest_first(worlds.size(), [&](std::size_t i) { return worlds[i].words; }), threads, pool, interrupt,
                    own_interrupt};
        run_batch(
            batch,
            [&](std::size_t i, Workspace& w, Interrupt& stop) {
                search({table, worlds[i].sentence(), options, &model}, w, stop, results[i]);
            },
            [&](std::size_t first, std::size_t last) {
                for (; first < last; ++first) order.push_back(first);
            },
            [] {});
        CHECK(order.size() == worlds.size() && std::is_sorted(order.begin(), order.end()));
        if (first.empty()) first = results;
        for (std::size_t i = 0; i < results.size(); ++i) {
            CHECK(results[i].score == first[i].score && results[i].explored == first[i].explored);
            CHECK(results[i].found.size() == first[i].found.size());
        }
    }
}

TEST(the_first_error_by_number_ends_the_batch_whatever_the_threads_and_the_order) {
    for (const int threads : {1, 3}) {
        for (const bool backwards : {false, true}) {
            WorkspacePool pool;
            Interrupt interrupt, own_interrupt;
            bool thrown = false;
            Batch batch{longest_first(100, [&](std::size_t i) { return backwards ? i : 0; }), threads, pool, interrupt,
                        own_interrupt};
            try {
                run_batch(
                    batch,
                    [](std::size_t i, Workspace&, Interrupt&) {
                        if (i == 37 || i == 61) throw std::invalid_argument("bad");
                    },
                    [](std::size_t, std::size_t last) { CHECK(last <= 37); }, [] {});
            } catch (const std::invalid_argument&) {
                thrown = true;
            }
            CHECK(thrown && batch.failed == 37);
        }
    }
}

TEST(an_interrupt_ends_the_batch) {
    for (const int threads : {1, 2}) {
        WorkspacePool pool;
        Interrupt interrupt, own_interrupt;
        bool thrown = false;
        Batch batch{longest_first(1000000, [](std::size_t) { return 0; }), threads, pool, interrupt, own_interrupt};
        try {
            run_batch(
                batch,
                [](std::size_t, Workspace&, Interrupt&) {},
                [](std::size_t, std::size_t) {}, [] { throw std::runtime_error("Ctrl-C"); });
        } catch (const std::runtime_error&) {
            thrown = true;
        }
        CHECK(thrown && interrupt.stop.load());
    }
}

TEST(what_stops_the_calling_threads_search_stops_the_others) {
    WorkspacePool pool;
    Interrupt interrupt, own_interrupt;
    std::atomic<int> begun{0};
    Batch batch{longest_first(10000, [](std::size_t) { return 0; }), 2, pool, interrupt, own_interrupt};
    run_batch(
        batch,
        [&](std::size_t, Workspace&, Interrupt& stop) {
            ++begun;
            if (&stop == &own_interrupt) stop.stop.store(true);
            while (!interrupt.stop.load() && !stop.stop.load()) std::this_thread::yield();
        },
        [](std::size_t, std::size_t) {}, [] {});
    CHECK(interrupt.stop.load() && begun <= 3);
}
