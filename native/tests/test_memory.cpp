// Counts every request for memory that the program makes, and can refuse one of them.
#include <atomic>
#include <cstdlib>
#include <new>

#include "check.hpp"
#include "world.hpp"

namespace {
std::atomic<long> requests{0};
std::atomic<long> refused{-1};  // the number of the request that fails

void* counted(std::size_t bytes, std::size_t alignment) {
    if (++requests == refused) throw std::bad_alloc();
    void* memory = alignment ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : std::malloc(bytes ? bytes : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes, 0); }
void* operator new[](std::size_t bytes) { return counted(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return counted(bytes, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return counted(bytes, static_cast<std::size_t>(alignment)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes ? bytes : 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes ? bytes : 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

using namespace starccg;

namespace {

// Every decoder, one and several parses, lazily and eagerly, best-first, with tie-breaks, stopped by a limit, with either
// bound, and refined.
std::vector<Options> policies() {
    std::vector<Options> all;
    for (const Decoder decoder : {Decoder::supertag, Decoder::supertag_forest, Decoder::span, Decoder::span_forest,
                                  Decoder::global, Decoder::beam, Decoder::rerank})
        for (const int nbest : {1, 7})
            for (const int variant : {0, 1, 2, 3, 4, 5, 6}) {
                Options options;
                options.decoder = decoder, options.nbest = nbest;
                options.lazy = variant != 1, options.heuristic = variant != 2;
                if (variant == 3) options.unary_cost = to_grid(0.1), options.distance_cost = to_grid(1e-3);
                if (variant == 4) options.limits.forest = 5, options.backoff_distance_cost = to_grid(1e-3);
                options.grammar_bound = variant >= 5;
                if (variant == 6) options.refine_after = 2;
                all.push_back(options);
            }
    return all;
}

// What a pass over all sentences asks for.
template <class Search>
long asked_for(Search search) {
    const long before = requests;
    search();
    return requests - before;
}

}  // namespace

TEST(a_warm_workspace_asks_for_no_memory_whatever_the_policy) {
    for (const unsigned grammar : {1u, 3u, 4u, 12u}) {  // several classes of rule types and one, with and without root scores
        const World base(grammar, 1);
        const RuleTable table(base.input);
        const TreeLstm model(base.model());
        std::vector<World> worlds;
        for (unsigned seed = 0; seed < 16; ++seed) worlds.emplace_back(grammar + 24 * seed, 6);
        for (const Options& options : policies()) {
            Workspace w;
            Interrupt interrupt;
            Result result;
            const auto search_all = [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    search({table, worlds[i].sentence(), options, &model}, w, interrupt, result);
            };
            const long first = asked_for([&] { search_all(0, 8); });
            CHECK(first > 0);
            CHECK(asked_for([&] { search_all(0, 8); }) == 0);
            // Others of the same length: an arena may have to grow, which doubles it, and soon none does.
            CHECK(asked_for([&] { search_all(8, 16); }) <= first / 2);
            CHECK(asked_for([&] { search_all(0, 16); }) == 0);
        }
    }
}

TEST(a_warm_gold_guided_search_asks_for_no_memory) {
    const World base(3, 1);
    const RuleTable table(base.input);
    const TreeLstm model(base.model());
    Workspace w;
    Interrupt interrupt;
    Options options;
    options.decoder = Decoder::global;
    options.nbest = 3;
    std::vector<World> worlds;
    std::vector<std::vector<Node>> golds;
    for (unsigned seed = 0; seed < 12; ++seed) {
        World world(3 + 24 * seed, 5);
        const Result result = search({table, world.sentence(), options, &model}, w, interrupt);
        if (result.found.empty()) continue;
        golds.push_back(nodes_of(result.found.back(), result));
        worlds.push_back(std::move(world));
    }
    CHECK(worlds.size() > 3);
    Trace trace;
    const auto search_all = [&] {
        for (std::size_t i = 0; i < worlds.size(); ++i)
            search_gold({table, worlds[i].sentence(), options, &model}, golds[i], w, interrupt, trace);
    };
    search_all();
    CHECK(asked_for(search_all) == 0);
}

TEST(a_search_that_gets_no_memory_ends_with_an_exception_and_its_workspace_can_be_used_again) {
    const World base(1, 1);
    const RuleTable table(base.input);
    const TreeLstm model(base.model());
    World world(1 + 24, 6);
    long failed = 0;
    for (const Options& options : policies()) {
        Workspace fresh;
        Interrupt interrupt;
        const Result expected = search({table, world.sentence(), options, &model}, fresh, interrupt);
        Workspace w;
        for (long which = 1;; which += 1 + which / 8) {  // each request in turn, the later ones in steps
            bool complete = true;
            refused = requests + which;
            try {
                Result result;
                search({table, world.sentence(), options, &model}, w, interrupt, result);
            } catch (const std::bad_alloc&) {
                complete = false, ++failed;
            }
            refused = -1;
            const Result again = search({table, world.sentence(), options, &model}, w, interrupt);
            CHECK(again.score == expected.score && again.nodes.size() == expected.nodes.size() && again.explored == expected.explored);
            if (complete) break;
            w = Workspace();
        }
    }
    CHECK(failed > 100);
}
