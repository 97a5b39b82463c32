// Python's view of the core: arrays in, tuples out, nothing decided here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "batch.hpp"
#include "gold.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace starccg;

namespace {

template <class T, class... Shape>
using Array = nb::ndarray<const T, Shape..., nb::c_contig, nb::device::cpu>;
using Ints = Array<std::int32_t, nb::ndim<1>>;
using Floats1d = Array<float, nb::ndim<1>>;
using Floats2d = Array<float, nb::ndim<2>>;
using Floats3d = Array<float, nb::ndim<3>>;

WorkspacePool& workspaces() {
    static WorkspacePool* pool = new WorkspacePool;  // never destroyed: threads may end after the module
    return *pool;
}

template <class T, class A>
std::vector<T> to_vector(const A& array) {
    return std::vector<T>(array.data(), array.data() + array.size());
}

// A sentence's arrays, held while a search reads them.
struct HeldSentence {
    Ints tags, offsets;
    Floats1d log_probabilities;
    Floats3d states;
    SentenceView view;
};

template <class A>
A array_of(nb::handle object, const char* name, const char* kind) {
    A out;
    if (!nb::try_cast(object.attr(name), out))
        throw nb::value_error((std::string(name) + " must be " + kind).c_str());
    return out;
}

HeldSentence hold(nb::handle sentence) {
    HeldSentence held;
    held.tags = array_of<Ints>(sentence, "tags", "a one-dimensional array of int32");
    held.log_probabilities = array_of<Floats1d>(sentence, "log_probabilities", "a one-dimensional array of float32");
    held.offsets = array_of<Ints>(sentence, "offsets", "a one-dimensional array of int32");
    if (held.offsets.size() == 0) throw nb::value_error("offsets must have one number more than there are words");
    if (held.tags.size() != held.log_probabilities.size())
        throw nb::value_error("tags and log_probabilities must be of one length");
    SentenceView& view = held.view;
    view.words = static_cast<int>(held.offsets.size()) - 1;
    view.tags = held.tags.data();
    view.log_probabilities = held.log_probabilities.data();
    view.offsets = held.offsets.data();
    view.tag_count = static_cast<long>(held.tags.size());
    nb::object states = sentence.attr("states");
    if (!states.is_none()) {
        held.states = array_of<Floats3d>(sentence, "states", "an array of float32 of shape (words, 4, cells)");
        if (held.states.shape(1) != 4 || static_cast<int>(held.states.shape(0)) != view.words)
            throw nb::value_error("states must have the shape (words, 4, cells)");
        view.states = held.states.data();
        view.cells = static_cast<int>(held.states.shape(2));
    }
    return held;
}

std::vector<HeldSentence> hold_all(nb::list sentences) {
    std::vector<HeldSentence> held;
    held.reserve(nb::len(sentences));
    for (nb::handle sentence : sentences) held.push_back(hold(sentence));
    return held;
}

Score cost_of(double value, const char* name) {
    if (!(value >= 0 && value < kLargest))
        throw nb::value_error((std::string(name) + " must be a number from 0 up to 2^20").c_str());
    return to_grid(value);
}

Options options_of(nb::tuple t) {
    Options o;
    o.decoder = static_cast<Decoder>(nb::cast<int>(t[0]));
    o.heuristic = nb::cast<bool>(t[1]);
    o.lazy = nb::cast<bool>(t[2]);
    o.nbest = nb::cast<int>(t[3]);
    o.beam = nb::cast<int>(t[4]);
    o.unary_cost = cost_of(nb::cast<double>(t[5]), "unary_cost");
    o.distance_cost = cost_of(nb::cast<double>(t[6]), "distance_cost");
    o.limits.forest = nb::cast<std::int64_t>(t[7]);
    // Items are numbered with 32 bits.
    o.limits.agenda = std::min<std::int64_t>(nb::cast<std::int64_t>(t[8]), 0xf0000000 - (1 << 24));
    o.limits.recursive_units = nb::cast<std::int64_t>(t[9]);
    o.limits.words = nb::cast<std::int64_t>(t[10]);
    o.limits.seconds = nb::cast<double>(t[11]);
    o.backoff = nb::cast<bool>(t[12]);
    o.ties = nb::cast<bool>(t[13]);
    o.backoff_unary_cost = cost_of(nb::cast<double>(t[14]), "backoff_unary_cost");
    o.backoff_distance_cost = cost_of(nb::cast<double>(t[15]), "backoff_distance_cost");
    if (o.limits.seconds != o.limits.seconds) throw nb::value_error("limits.seconds is not a number");
    return o;
}

const char* name_of(Stop stop) {
    static const char* const names[] = {"",        "forest",      "agenda", "recursive_units", "words", "seconds",
                                        "exhausted", "interrupted", "gold",   "lost",            "margin"};
    return names[static_cast<int>(stop)];
}

PyObject* own(PyObject* object) {
    if (!object) throw nb::python_error();
    return object;
}

// Node is a named tuple: made directly, since a sentence has dozens.
nb::object node_object(PyTypeObject* type, const Node& node) {
    nb::object out = nb::steal(own(type->tp_alloc(type, 8)));
    const long ints[6] = {node.rule, node.category, node.start, node.end, node.left, node.right};
    for (int i = 0; i < 6; ++i) PyTuple_SET_ITEM(out.ptr(), i, own(PyLong_FromLong(ints[i])));
    PyTuple_SET_ITEM(out.ptr(), 6, own(PyFloat_FromDouble(from_grid(node.local))));
    PyTuple_SET_ITEM(out.ptr(), 7, own(PyFloat_FromDouble(from_grid(node.global))));
    PyObject_GC_UnTrack(out.ptr());  // numbers only: nothing for the garbage collector to walk through
    return out;
}

nb::object nodes_object(PyTypeObject* type, const std::vector<Node>& nodes) {
    nb::object out = nb::steal(own(PyTuple_New(static_cast<Py_ssize_t>(nodes.size()))));
    for (std::size_t i = 0; i < nodes.size(); ++i)
        PyTuple_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), node_object(type, nodes[i]).release().ptr());
    return out;
}

PyTypeObject* node_type = nullptr;  // set once, when starccg.search.core is imported

void set_node_type(nb::handle type) {
    if (!PyType_Check(type.ptr()) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type.ptr()), &PyTuple_Type))
        throw nb::type_error("Node must be a named tuple");
    Py_INCREF(type.ptr());
    node_type = reinterpret_cast<PyTypeObject*>(type.ptr());
}

// What a search found: turned into Python's objects only when someone looks at them.
struct Derivations {
    Result result;
    const Found& at(std::size_t i) const {
        if (i >= result.found.size()) throw nb::index_error();
        return result.found[i];
    }
};

nb::object trace_object(const Trace& t, nb::handle trace) {
    const std::size_t n = t.nodes[0].size();
    nb::list columns;
    for (const std::vector<std::int32_t>& column : t.nodes) {
        auto* data = new std::int32_t[n + 1];
        std::copy(column.begin(), column.end(), data);
        nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
        columns.append(nb::cast(nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>(data, {n}, owner)));
    }
    nb::list violations;
    for (const Score value : t.violations) violations.append(from_grid(value));
    return trace(columns, nb::tuple(violations), name_of(t.stopped), t.explored, t.agenda, t.units, t.seconds);
}

std::vector<Node> nodes_in(nb::handle list) {
    std::vector<Node> nodes;
    for (nb::handle item : list) {
        Node node{};
        node.rule = nb::cast<std::int32_t>(item.attr("rule")), node.category = nb::cast<std::int32_t>(item.attr("category"));
        node.start = nb::cast<std::int32_t>(item.attr("start")), node.end = nb::cast<std::int32_t>(item.attr("end"));
        node.left = nb::cast<std::int32_t>(item.attr("left")), node.right = nb::cast<std::int32_t>(item.attr("right"));
        nodes.push_back(node);
    }
    return nodes;
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
template <class Work, class Object>
nb::list run_all(std::size_t count, int threads, Work work, Object object) {
    if (threads < 1) throw nb::value_error("threads must be at least 1");
    nb::list out;
    Interrupt interrupt;
    std::size_t failed = 0;
    try {
        if (threads == 1 || count < 2) {
            Signals signals;
            interrupt.poll = Signals::poll;
            interrupt.context = &signals;
            std::unique_ptr<Workspace> workspace = workspaces().take();
            for (; failed < count; ++failed) {
                {
                    const nb::gil_scoped_release release;
                    work(failed, *workspace, interrupt);
                }
                if (signals.raised) throw nb::python_error();
                out.append(object(failed));
            }
            workspaces().give_back(std::move(workspace));
        } else {
            const nb::gil_scoped_release release;
            run_batch(
                count, threads, workspaces(), interrupt, work,
                [&](std::size_t index) {
                    const nb::gil_scoped_acquire gil;
                    out.append(object(index));
                },
                [&] {
                    const nb::gil_scoped_acquire gil;
                    if (PyErr_CheckSignals() != 0) throw nb::python_error();
                },
                failed);
        }
    } catch (const std::invalid_argument& error) {
        const std::string where = count > 1 ? "sentence " + std::to_string(failed) + ": " : "";
        throw nb::value_error((where + error.what()).c_str());
    }
    return out;
}

nb::list search_batch(const RuleTable& table, nb::list sentences, nb::tuple options, std::optional<const TreeLstm*> model,
                      int threads, nb::handle outcome) {
    const std::vector<HeldSentence> held = hold_all(sentences);
    const Options o = options_of(options);
    std::vector<Result> results(held.size());
    return run_all(
        held.size(), threads,
        [&](std::size_t i, Workspace& w, Interrupt& interrupt) {
            search(table, held[i].view, o, model.value_or(nullptr), w, interrupt, results[i]);
        },
        [&](std::size_t i) { return outcome(Derivations{std::move(results[i])}); });
}

nb::list search_gold_batch(const RuleTable& table, nb::list sentences, nb::list golds, nb::tuple options,
                           const TreeLstm& model, int threads, nb::handle trace) {
    const std::vector<HeldSentence> held = hold_all(sentences);
    std::vector<std::vector<Node>> gold;
    for (nb::handle each : golds) gold.push_back(nodes_in(each));
    if (gold.size() != held.size()) throw nb::value_error("one gold derivation per sentence");
    const Options o = options_of(options);
    std::vector<Trace> traces(held.size());
    return run_all(
        held.size(), threads,
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
    const HeldSentence held = hold(sentence);
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
    const HeldSentence held = hold(sentence);
    const Options o = options_of(options);
    std::vector<Event> events;
    Result result;
    nb::list answer = run_all(
        1, 1,
        [&](std::size_t, Workspace& w, Interrupt& interrupt) {
            search(table, held.view, o, model.value_or(nullptr), w, interrupt, result, &events);
        },
        [&](std::size_t) { return outcome(Derivations{std::move(result)}); });
    static const char* const kinds[] = {"push", "rescored", "pop", "goal"};
    nb::list list;
    for (const Event& e : events)
        list.append(nb::make_tuple(kinds[static_cast<int>(e.kind)], e.item, e.rule, e.category, e.start, e.end, e.left, e.right,
                                   from_grid(e.inside), from_grid(e.outside), from_grid(e.local), from_grid(e.global)));
    return nb::make_tuple(answer[0], list);
}

void expect(bool fine, const char* what) {
    if (!fine) throw nb::value_error(what);
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

    nb::class_<TreeLstm>(m, "Model")
        .def("__init__", [](TreeLstm* self, Floats3d input_gate, Floats3d forget_gate, Floats3d output_gate,
                            Floats3d candidate, Floats3d biases, Floats2d categories, Floats2d unary_left, Floats1d output,
                            bool reads_new_cell) {
            const std::size_t T = input_gate.shape(0), d = input_gate.shape(1), e = categories.shape(1);
            const auto is = [](const auto& array, std::size_t a, std::size_t b, std::size_t c) {
                return array.shape(0) == a && array.shape(1) == b && array.shape(2) == c;
            };
            expect(T >= 1 && T <= 32, "the model must have from 1 to 32 rule types");
            expect(d >= 1 && d <= 4096, "the model must have from 1 to 4096 cells");
            expect(categories.shape(0) >= 1, "the model must embed at least one category");
            expect(is(input_gate, T, d, 4 * d + e), "input_gate must have the shape (T, d, 4d + e)");
            expect(is(forget_gate, T, d, 4 * d + e), "forget_gate must have the shape (T, d, 4d + e)");
            expect(is(output_gate, T, d, 3 * d + e), "output_gate must have the shape (T, d, 3d + e)");
            expect(is(candidate, T, d, 2 * d + e), "candidate must have the shape (T, d, 2d + e)");
            expect(is(biases, T, 4, d), "biases must have the shape (T, 4, d)");
            expect(unary_left.shape(0) == 2 && unary_left.shape(1) == d, "unary_left must have the shape (2, d)");
            expect(output.size() == d, "output must have the shape (d,)");
            TreeLstm::Input in;
            in.types = static_cast<int>(T), in.cells = static_cast<int>(d), in.embedding = static_cast<int>(e);
            in.categories = static_cast<int>(categories.shape(0));
            in.input_gate = input_gate.data(), in.forget_gate = forget_gate.data(), in.output_gate = output_gate.data();
            in.candidate = candidate.data(), in.biases = biases.data(), in.embeddings = categories.data();
            in.unary_left = unary_left.data(), in.output = output.data();
            in.output_reads_new_cell = reads_new_cell;
            new (self) TreeLstm(in);
        })
        .def("unit", [](const TreeLstm& self, int rule, int category, std::optional<Floats2d> left, Floats2d right) {
            const std::size_t d = self.cells();
            expect(rule >= 0 && rule < self.types(), "no such rule type");
            expect(category >= 0 && category < self.categories(), "no such category");
            expect(right.shape(0) == 2 && right.shape(1) == d, "a state must have the shape (2, d)");
            expect(!left || (left->shape(0) == 2 && left->shape(1) == d), "a state must have the shape (2, d)");
            const int floats = self.state_floats();
            AlignedFloats buffer = aligned_floats(3 * floats + 2 * self.share_floats());
            float *l = buffer.get(), *r = l + floats, *out = r + floats, *ls = out + floats, *rs = ls + self.share_floats();
            if (left) {
                self.pad(left->data(), left->data() + d, l);
            } else {
                std::copy_n(self.unary_left(), floats, l);
            }
            self.pad(right.data(), right.data() + d, r);
            self.share(rule, 0, l, ls);
            self.share(rule, 1, r, rs);
            const Score score = self.unit(rule, category, l, ls, r, rs, out);
            auto* state = new float[2 * d];
            std::copy_n(out, d, state);
            std::copy_n(out + self.padded(), d, state + d);
            nb::capsule owner(state, [](void* p) noexcept { delete[] static_cast<float*>(p); });
            return nb::make_tuple(nb::ndarray<nb::numpy, float, nb::ndim<2>>(state, {2, d}, owner), from_grid(score));
        }, nb::arg("rule"), nb::arg("category"), nb::arg("left").none(), nb::arg("right"))
        .def("time_units", [](const TreeLstm& self, int repeats) {
            // Each turn runs one unit and reads the weights of one rule type, the same for both.
            const int floats = self.state_floats();
            AlignedFloats buffer = aligned_floats(3 * floats + 2 * self.share_floats());
            float *l = buffer.get(), *r = l + floats, *out = r + floats, *ls = out + floats, *rs = ls + self.share_floats();
            std::fill_n(l, 2 * floats, 0.25f);
            std::vector<double> units, streams;
            volatile float sink = 0;
            for (int i = 0; i < repeats; ++i) {
                const int rule = self.types() > 1 ? 1 : 0;
                const Clock::time_point a = Clock::now();
                self.share(rule, 0, l, ls);
                self.share(rule, 1, r, rs);
                self.unit(rule, 0, l, ls, r, rs, out);
                const Clock::time_point b = Clock::now();
                sink = self.kernels().stream(self.rule_weights(rule), self.rule_floats());
                const Clock::time_point c = Clock::now();
                units.push_back(std::chrono::duration<double>(b - a).count());
                streams.push_back(std::chrono::duration<double>(c - b).count());
            }
            (void)sink;
            return std::pair(units, streams);
        });

    nb::class_<Derivations>(m, "Derivations")
        .def("__len__", [](const Derivations& self) { return self.result.found.size(); })
        .def("nodes", [](const Derivations& self, std::size_t i) {
            return nodes_object(node_type, nodes_of(self.at(i), self.result));
        })
        .def("proof", [](const Derivations& self, std::size_t i) {
            const Found& each = self.at(i);
            return nb::make_tuple(from_grid(each.score), from_grid(each.upper_bound), each.optimal);
        })
        .def("best_proof", [](const Derivations& self) {
            return nb::make_tuple(from_grid(self.result.score), from_grid(self.result.upper_bound), self.result.optimal);
        })
        .def("statistics", [](const Derivations& self) {
            const Result& r = self.result;
            return nb::make_tuple(r.explored, r.agenda, r.units, static_cast<int>(r.decoder), r.seconds, name_of(r.stopped));
        });
    m.def("set_node_type", set_node_type);
    m.def("search_batch", search_batch, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
    m.def("search_gold_batch", search_gold_batch);
    m.def("score_derivation", score_derivation_of, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    m.def("record", record, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
}
