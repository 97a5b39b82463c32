// libFuzzer target: bytes become a rule table, a model, a sentence and options, which may all be wrong. Each is refused with
// std::invalid_argument or searched, without a crash, undefined behaviour or a leak. Run it with native/fuzz.sh.
#include <fuzzer/FuzzedDataProvider.h>

#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "search.hpp"

using namespace starccg;

namespace {

// Mostly a number that is fine, sometimes any number.
int number(FuzzedDataProvider& data, int most) {
    return data.ConsumeIntegralInRange(0, 63) ? data.ConsumeIntegralInRange(0, std::max(most, 0)) : data.ConsumeIntegral<std::int32_t>();
}

template <class Value, class Make>
std::vector<Value> many(FuzzedDataProvider& data, int most, Make make) {
    std::vector<Value> values(static_cast<std::size_t>(data.ConsumeIntegralInRange(0, most)));
    for (Value& value : values) value = make();
    return values;
}

RuleTable::Input rule_table(FuzzedDataProvider& data) {
    RuleTable::Input in;
    in.categories = data.ConsumeIntegralInRange(0, 70), in.lexical = number(data, in.categories);
    in.types = data.ConsumeIntegralInRange(0, 33);
    const auto any = [&](int most) { return number(data, most); };
    const int last = in.categories - 1, type = in.types - 1;
    for (int i = data.ConsumeIntegralInRange(0, 40); i > 0; --i)
        for (const int x : {any(last), any(last), any(last), any(type), any(1)}) in.binary.push_back(x);
    for (int i = data.ConsumeIntegralInRange(0, 6); i > 0; --i)
        for (const int x : {any(last), any(last), any(type)}) in.unary.push_back(x);
    in.roots = many<std::int32_t>(data, 4, [&] { return any(last); });
    if (data.ConsumeBool()) in.root_scores.assign(in.roots.size(), -data.ConsumeProbability<double>());
    const std::uint32_t all = data.ConsumeBool() ? ~0u : data.ConsumeIntegral<std::uint32_t>();
    in.allowed.assign(static_cast<std::size_t>(in.types * in.types), all);
    in.unary_allowed.assign(static_cast<std::size_t>(in.types), data.ConsumeBool() ? ~0u : data.ConsumeIntegral<std::uint32_t>());
    if (data.ConsumeBool()) in.start_only = data.ConsumeIntegral<std::uint32_t>();
    in.max_unary_chain = number(data, 3);
    in.unary_at_root = data.ConsumeBool(), in.chain_length_matters = data.ConsumeBool();
    for (int i = 0; i < in.types; ++i) in.classes.push_back(data.ConsumeBool() ? i : any(type));
    return in;
}

Options options(FuzzedDataProvider& data) {
    Options o;
    o.decoder = static_cast<Decoder>(data.ConsumeIntegralInRange(0, 6));
    o.heuristic = data.ConsumeBool(), o.lazy = data.ConsumeBool(), o.backoff = data.ConsumeBool();
    o.backoff_beam = data.ConsumeBool(), o.grammar_bound = data.ConsumeBool(), o.counts_checks = data.ConsumeBool();
    o.nbest = number(data, 8), o.beam_size = number(data, 8), o.rerank_size = number(data, 16);
    if (data.ConsumeBool()) o.refine_after = number(data, 20); else o.refine_after.reset();
    o.unary_cost = to_grid(data.ConsumeProbability<double>()), o.distance_cost = to_grid(data.ConsumeProbability<double>() / 100);
    o.limits.forest = number(data, 2000), o.limits.agenda = number(data, 5000), o.limits.recursive_units = number(data, 2000);
    // No search takes longer than an input may; the checks of a test clock end it sooner.
    o.limits.seconds = o.counts_checks ? number(data, 200) : 0.2;
    return o;
}

struct Sentence {
    std::vector<std::int32_t> tags, offsets{0};
    std::vector<float> log_probabilities, states, pruned;
    SentenceView view;

    Sentence(FuzzedDataProvider& data, int categories, int cells) {
        const int words = data.ConsumeIntegralInRange(0, 12);
        for (int word = 0; word < words; ++word) {
            for (int i = data.ConsumeIntegralInRange(0, 4); i > 0; --i) {
                tags.push_back(number(data, categories - 1));
                log_probabilities.push_back(data.ConsumeIntegralInRange(0, 63) ? -8 * data.ConsumeProbability<float>()
                                                                              : data.ConsumeFloatingPoint<float>());
            }
            offsets.push_back(data.ConsumeIntegralInRange(0, 63) ? static_cast<std::int32_t>(tags.size())
                                                                 : data.ConsumeIntegral<std::int32_t>());
        }
        states.assign(static_cast<std::size_t>(words * 4 * cells), 0.5f);
        for (float& state : states) state = data.ConsumeProbability<float>() - 0.5f;
        view = {words, tags.data(), log_probabilities.data(), offsets.data(), static_cast<long>(tags.size()), states.data(), cells};
        if (data.ConsumeBool()) {
            pruned.assign(static_cast<std::size_t>(words), -9.0f);
            view.pruned = pruned.data();
        }
    }
};

struct Weights {
    std::vector<float> values[8];
    TreeLstm::Input in;

    Weights(FuzzedDataProvider& data, const RuleTable& table) {
        const int d = data.ConsumeIntegralInRange(1, 9), e = data.ConsumeIntegralInRange(1, 3), types = table.types();
        const float scale = data.ConsumeIntegralInRange(0, 31) ? 1.0f : data.ConsumeFloatingPoint<float>();
        const int sizes[] = {types * d * (4 * d + e), types * d * (4 * d + e), types * d * (3 * d + e), types * d * (2 * d + e),
                             types * 4 * d,           table.categories() * e,  2 * d,                   d};
        std::uint32_t random = data.ConsumeIntegral<std::uint32_t>();
        for (int which = 0; which < 8; ++which)
            for (int i = 0; i < sizes[which]; ++i) {
                random = random * 1664525u + 1013904223u;
                values[which].push_back(scale * (static_cast<float>(random >> 8) / (1 << 23) - 1));
            }
        in.types = types, in.cells = d, in.categories = table.categories(), in.embedding = e;
        in.input_gate = values[0].data(), in.forget_gate = values[1].data(), in.output_gate = values[2].data();
        in.candidate = values[3].data(), in.biases = values[4].data(), in.embeddings = values[5].data();
        in.unary_left = values[6].data(), in.output = values[7].data();
    }
};

}  // namespace

// Ends the process, so that libFuzzer stores the input, if an input takes more than 5 seconds of processor time. Unlike the
// limit of libFuzzer itself, this does not count the time in which other programs run.
struct ProcessorTime {
    ProcessorTime() {
        std::signal(SIGPROF, [](int) { std::abort(); });
        set(5);
    }
    ~ProcessorTime() { set(0); }
    static void set(int seconds) {
        const itimerval timer{{0, 0}, {seconds, 0}};
        setitimer(ITIMER_PROF, &timer, nullptr);
    }
};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const ProcessorTime limit;
    FuzzedDataProvider data(bytes, size);
    try {
        const RuleTable table(rule_table(data));
        const Weights weights(data, table);
        const TreeLstm model(weights.in);
        Workspace workspace;
        Interrupt interrupt;
        for (int i = data.ConsumeIntegralInRange(1, 3); i > 0; --i) {  // a workspace is used again
            const Options asked = options(data);
            const Sentence sentence(data, table.categories(), weights.in.cells);
            try {
                check_options(asked);
                const Result result = search({table, sentence.view, asked, &model}, workspace, interrupt);
                if (!result.found.empty()) {
                    const std::vector<Node> gold = nodes_of(result.found.back(), result);
                    Trace trace;
                    search_gold({table, sentence.view, asked, &model}, gold, workspace, interrupt, trace);
                }
            } catch (const std::invalid_argument&) {
            }
        }
    } catch (const std::invalid_argument&) {
    }
    return 0;
}
