// Python's view of the core. Nothing is decided here.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <limits>
#include <memory>
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

// Lets Python handle signals, at most every 50 ms. A search on the calling thread stops when a handler has raised.
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
nb::list run_all(std::size_t count, int threads, const Cancellation* cancellation, Words words, Work work, Object object) {
    if (threads < 1) throw nb::value_error("threads must be at least 1");
    nb::list out;
    Signals signals;
    Interrupt interrupt, own_interrupt;
    own_interrupt.poll = Signals::poll;
    own_interrupt.context = &signals;
    interrupt.cancellation = own_interrupt.cancellation = cancellation;
    // One thread goes from the first to the last.
    Batch batch{longest_first(count, [&](std::size_t i) { return threads > 1 ? words(i) : 0; }), threads, workspaces(),
                interrupt, own_interrupt};
    try {
        const nb::gil_scoped_release release;
        run_batch(
            batch, work,
            [&](std::size_t first, std::size_t last) {
                const nb::gil_scoped_acquire gil;
                for (; first < last; ++first) out.append(object(first));
            },
            [&] {
                const nb::gil_scoped_acquire gil;
                if (signals.raised || PyErr_CheckSignals() != 0) throw nb::python_error();
            });
    } catch (const std::invalid_argument& error) {
        const std::string where = count > 1 ? "sentence " + std::to_string(batch.failed) + ": " : "";
        throw nb::value_error((where + error.what()).c_str());
    }
    return out;
}

nb::list search_batch(const RuleTable& table, const TreeLstm* model, Options options, nb::sequence sentences, int threads,
                      const Cancellation* cancellation) {
    const std::deque<HeldSentence> held = hold_all(sentences);
    std::vector<Result> results(held.size());
    return run_all(
        held.size(), threads, cancellation, [&](std::size_t i) { return held[i].view.words; },
        [&](std::size_t i, Workspace& w, Interrupt& interrupt) {
            search({table, held[i].view, options, model}, w, interrupt, results[i]);
        },
        [&](std::size_t i) { return nb::cast(std::move(results[i])); });
}

nb::list search_gold_batch(const RuleTable& table, const TreeLstm& model, Options options, nb::sequence sentences,
                           nb::sequence golds, int threads) {
    const std::deque<HeldSentence> held = hold_all(sentences);
    std::vector<std::vector<Node>> gold;
    for (nb::handle each : golds) gold.push_back(nodes_in(each));
    if (gold.size() != held.size()) throw nb::value_error("there must be one gold derivation for each sentence");
    std::vector<Trace> traces(held.size());
    return run_all(
        held.size(), threads, nullptr, [&](std::size_t i) { return held[i].view.words; },
        [&](std::size_t i, Workspace& w, Interrupt& interrupt) {
            search_gold({table, held[i].view, options, &model}, gold[i], w, interrupt, traces[i]);
        },
        [&](std::size_t i) { return nb::cast(std::move(traces[i])); });
}

// The score of a derivation, and its nodes with their scores.
nb::tuple score_nodes(const RuleTable& table, const TreeLstm* model, Options options, nb::handle sentence, nb::sequence nodes) {
    const HeldSentence held(sentence);
    std::vector<Node> scored = nodes_in(nodes);
    Workspace w;
    const Score score = score_derivation({table, held.view, options, model}, scored, w);
    return nb::make_tuple(from_grid(score), node_tuples(scored));
}

// A result, and the events that led to it.
nb::tuple record(const RuleTable& table, const TreeLstm* model, Options options, nb::handle sentence,
                 const Cancellation* cancellation) {
    const HeldSentence held(sentence);
    std::vector<Event> events;
    Result result;
    run_all(
        1, 1, cancellation, [](std::size_t) { return 0; },
        [&](std::size_t, Workspace& w, Interrupt& interrupt) {
            search({table, held.view, options, model}, w, interrupt, result, &events);
        },
        [](std::size_t) { return nb::none(); });
    return nb::make_tuple(nb::cast(std::move(result)), nb::cast(std::move(events)));
}

// Seconds from now; a time too far away to count is no deadline.
void set_deadline(Cancellation& self, double seconds) {
    if (seconds != seconds) throw nb::value_error("seconds is not a number");
    const double most = std::chrono::duration<double>(Clock::time_point::max() - Clock::now()).count() / 2;
    if (seconds >= most) return self.set_deadline(Clock::time_point::max());
    const std::chrono::duration<double> left(std::max(seconds, 0.0));
    self.set_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(left));
}

void bind_cancellation(nb::module_& m) {
    nb::class_<Cancellation>(m, "Cancellation")
        .def("__init__", [](Cancellation* self, double seconds) { set_deadline(*new (self) Cancellation, seconds); },
             nb::arg("seconds") = std::numeric_limits<double>::infinity())
        .def("cancel", &Cancellation::cancel)
        .def_prop_ro("cancelled", &Cancellation::is_cancelled)
        .def("expire_in", set_deadline)
        .def_prop_ro("seconds_left", [](const Cancellation& self) {
            if (self.deadline() == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
            return std::chrono::duration<double>(self.deadline() - Clock::now()).count();
        });
}

void make_table(RuleTable* self, const nb::kwargs& in) {
    new (self) RuleTable({.categories = argument<int>(in, "categories"), .lexical = argument<int>(in, "lexical"),
                          .binary = numbers<std::int32_t>(in, "binary"), .unary = numbers<std::int32_t>(in, "unary"),
                          .roots = numbers<std::int32_t>(in, "roots"), .root_scores = numbers<double>(in, "root_scores"),
                          .types = argument<int>(in, "types"), .allowed = numbers<std::uint32_t>(in, "allowed"),
                          .unary_allowed = numbers<std::uint32_t>(in, "unary_allowed"),
                          .start_only = argument<std::uint32_t>(in, "start_only"),
                          .max_unary_chain = argument<int>(in, "max_unary_chain"),
                          .unary_at_root = argument<bool>(in, "unary_at_root"),
                          .classes = numbers<std::int32_t>(in, "classes"),
                          .chain_length_matters = argument<bool>(in, "chain_length_matters")});
}

}  // namespace

NB_MODULE(_core, m) {
#ifdef NDEBUG  // what is alive when the interpreter ends is no leak: worker processes end with a parser loaded
    nb::set_leak_warnings(false);
#endif
    m.attr("instruction_set") = unit_kernels().name;
    m.attr("max_words") = kMaxWords;

    nb::class_<RuleTable>(m, "Table").def("__init__", make_table);
    bind_models(m);
    bind_options(m);
    bind_cancellation(m);
    bind_result(m);
    bind_trace(m);
    bind_event(m);
    m.def("search_batch", search_batch, nb::arg("table"), nb::arg("model").none(), nb::arg("options"), nb::arg("sentences"),
          nb::arg("threads"), nb::arg("cancellation").none());
    m.def("search_gold_batch", search_gold_batch, nb::arg("table"), nb::arg("model"), nb::arg("options"),
          nb::arg("sentences"), nb::arg("golds"), nb::arg("threads"));
    m.def("score_derivation", score_nodes, nb::arg("table"), nb::arg("model").none(), nb::arg("options"),
          nb::arg("sentence"), nb::arg("nodes"));
    m.def("record", record, nb::arg("table"), nb::arg("model").none(), nb::arg("options"), nb::arg("sentence"),
          nb::arg("cancellation").none());
}
