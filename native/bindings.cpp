// Python's view of the core: arrays in, tuples out, nothing decided here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>
#include <string>

#include "batch.hpp"
#include "bindings_input.hpp"
#include "bindings_model.hpp"
#include "bindings_output.hpp"

using namespace starccg;

namespace {

WorkspacePool& workspaces() {
    static WorkspacePool* pool = new WorkspacePool;  // never destroyed: threads may end after the module
    return *pool;
}

// Asks Python for signals, not more than every 50 ms. A search on the calling thread stops when one has come.
struct Signals {
    Clock::time_point last = Clock::now();
    bool raised = false;
    static bool poll(void* self) {
        auto& signals = *static_cast<Signals*>(self);
        if (seconds_since(signals.last) < 0.05) return false;
        signals.last = Clock::now();
        const nb::gil_scoped_acquire gil;
        return signals.raised = PyErr_CheckSignals() != 0;  // the exception stays set
    }
};

// work(index, workspace, interrupt) without the GIL, object(index) with it, in order.
template <class Words, class Work, class Object>
nb::list run_all(std::size_t count, int threads, Words words, Work work, Object object) {
    if (threads < 1) throw nb::value_error("threads must be at least 1");
    nb::list out;
    Signals signals;
    Interrupt interrupt, own_interrupt;
    own_interrupt.poll = Signals::poll;
    own_interrupt.context = &signals;
    std::size_t failed = 0;
    // One thread goes from the first to the last.
    const auto order = longest_first(count, [&](std::size_t i) { return threads > 1 ? words(i) : 0; });
    try {
        const nb::gil_scoped_release release;
        run_batch(
            order, threads, workspaces(), interrupt, own_interrupt, work,
            [&](std::size_t first, std::size_t last) {
                const nb::gil_scoped_acquire gil;
                for (; first < last; ++first) out.append(object(first));
            },
            [&] {
                const nb::gil_scoped_acquire gil;
                if (signals.raised || PyErr_CheckSignals() != 0) throw nb::python_error();
            },
            failed);
    } catch (const std::invalid_argument& error) {
        const std::string where = count > 1 ? "sentence " + std::to_string(failed) + ": " : "";
        throw nb::value_error((where + error.what()).c_str());
    }
    return out;
}

nb::list search_batch(const RuleTable& table, nb::list sentences, nb::tuple options, std::optional<const TreeLstm*> model,
                      int threads, nb::handle outcome) {
    const std::deque<HeldSentence> held = hold_all(sentences);
    const Options o = options_of(options);
    std::vector<Result> results(held.size());
    return run_all(
        held.size(), threads, [&](std::size_t i) { return held[i].view.words; },
        [&](std::size_t i, Workspace& w, Interrupt& interrupt) {
            search(table, held[i].view, o, model.value_or(nullptr), w, interrupt, results[i]);
        },
        [&](std::size_t i) { return outcome(Derivations{std::move(results[i])}); });
}

nb::list search_gold_batch(const RuleTable& table, nb::list sentences, nb::list golds, nb::tuple options,
                           const TreeLstm& model, int threads, nb::handle trace) {
    const std::deque<HeldSentence> held = hold_all(sentences);
    std::vector<std::vector<Node>> gold;
    for (nb::handle each : golds) gold.push_back(nodes_in(each));
    if (gold.size() != held.size()) throw nb::value_error("one gold derivation per sentence");
    const Options o = options_of(options);
    std::vector<Trace> traces(held.size());
    return run_all(
        held.size(), threads, [&](std::size_t i) { return held[i].view.words; },
        [&](std::size_t i, Workspace& w, Interrupt& interrupt) {
            search_gold(table, held[i].view, gold[i], o, model, w, interrupt, traces[i]);
        },
        [&](std::size_t i) {
            const Trace own_trace = std::move(traces[i]);
            return trace_object(own_trace, trace);
        });
}

nb::tuple score_derivation_of(const RuleTable& table, nb::handle sentence, nb::list nodes, nb::tuple options,
                              std::optional<const TreeLstm*> model) {
    const HeldSentence held(sentence);
    std::vector<Node> own_nodes = nodes_in(nodes);
    Workspace w;
    try {
        const Score score =
            score_derivation(table, held.view, own_nodes, options_of(options), model.value_or(nullptr), w);
        Derivations derivations;
        derivations.result.found.push_back({static_cast<std::int32_t>(own_nodes.size()) - 1, 0, score, score, 0, false});
        derivations.result.nodes = std::move(own_nodes);
        return nb::make_tuple(from_grid(score), std::move(derivations));
    } catch (const std::invalid_argument& error) {
        throw nb::value_error(error.what());
    }
}

nb::tuple record(const RuleTable& table, nb::handle sentence, nb::tuple options, std::optional<const TreeLstm*> model,
                 nb::handle outcome) {
    const HeldSentence held(sentence);
    const Options o = options_of(options);
    std::vector<Event> events;
    Result result;
    nb::list answer = run_all(
        1, 1, [](std::size_t) { return 0; },
        [&](std::size_t, Workspace& w, Interrupt& interrupt) {
            search(table, held.view, o, model.value_or(nullptr), w, interrupt, result, &events);
        },
        [&](std::size_t) { return outcome(Derivations{std::move(result)}); });
    return nb::make_tuple(answer[0], events_object(events));
}

}  // namespace

NB_MODULE(_core, m) {
    m.attr("instruction_set") = unit_kernels().name;

    nb::class_<RuleTable>(m, "Table")
        .def("__init__", [](RuleTable* self, int categories, int lexical, Array<std::int32_t, nb::shape<-1, 5>> binary,
                            Array<std::int32_t, nb::shape<-1, 3>> unary, Ints roots,
                            Array<double, nb::ndim<1>> root_scores,
                            Array<std::uint32_t, nb::ndim<2>> allowed, Array<std::uint32_t, nb::ndim<1>> unary_allowed,
                            std::uint32_t start_only, int max_unary_chain, bool unary_at_root, Ints classes,
                            bool chain_length_matters) {
            RuleTable::Input in;
            in.categories = categories, in.lexical = lexical;
            in.binary = to_vector<std::int32_t>(binary), in.unary = to_vector<std::int32_t>(unary);
            in.roots = to_vector<std::int32_t>(roots), in.root_scores = to_vector<double>(root_scores);
            in.types = static_cast<int>(unary_allowed.size());
            in.allowed = to_vector<std::uint32_t>(allowed);
            in.unary_allowed = to_vector<std::uint32_t>(unary_allowed);
            in.start_only = start_only, in.max_unary_chain = max_unary_chain, in.unary_at_root = unary_at_root;
            in.classes = to_vector<std::int32_t>(classes);
            in.chain_length_matters = chain_length_matters;
            new (self) RuleTable(in);
        });

    bind_model(m);
    bind_derivations(m);
    m.def("search_batch", search_batch, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
    m.def("search_gold_batch", search_gold_batch);
    m.def("score_derivation", score_derivation_of, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    m.def("record", record, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
}
