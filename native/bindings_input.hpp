// What Python hands over: options, sentences and derivations, checked and copied before a search begins.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "search.hpp"

namespace starccg {

namespace nb = nanobind;

template <class T, class... Shape>
using Array = nb::ndarray<const T, Shape..., nb::c_contig, nb::device::cpu>;

// A keyword argument of a constructor: named in one place, where a long list of parameters would be matched by position.
template <class T>
T argument(const nb::kwargs& from, const char* name) {
    T value;
    if (!from.contains(name)) throw nb::type_error((std::string("missing argument ") + name).c_str());
    // Not converted: a copy would end with the call.
    if (!nb::try_cast(from[name], value, false)) throw nb::type_error((std::string(name) + " has the wrong type").c_str());
    return value;
}

template <class T>
std::vector<T> numbers(const nb::kwargs& from, const char* name) {
    const auto array = argument<Array<T>>(from, name);
    return std::vector<T>(array.data(), array.data() + array.size());
}

// The interned name of an attribute. It is made once, because the attribute is looked up for every sentence.
inline PyObject* interned(const char* name) {
    PyObject* made = PyUnicode_InternFromString(name);
    if (!made) throw nb::python_error();
    return made;
}

inline nb::object attribute(nb::handle object, PyObject* name) {
    PyObject* found = PyObject_GetAttr(object.ptr(), name);
    if (!found) throw nb::python_error();
    return nb::steal(found);
}

// An array while it is read: through Python's buffer protocol, which is much faster than DLPack. An array of another type
// or layout goes through nanobind, which converts it or fails.
template <class T, int kAxes>
class ReadArray {
public:
    ReadArray() = default;
    ReadArray(const ReadArray&) = delete;
    ReadArray& operator=(const ReadArray&) = delete;
    ~ReadArray() {
        if (view_.obj) PyBuffer_Release(&view_);
    }

    void open(PyObject* object, const char* name, const char* kind) {
        if (PyObject_GetBuffer(object, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
            if (view_.ndim == kAxes && view_.itemsize == sizeof(T) && is_format(view_.format)) {
                data = static_cast<const T*>(view_.buf);
                for (int i = 0; i < kAxes; ++i) shape[i] = static_cast<std::size_t>(view_.shape[i]);
                return;
            }
            PyBuffer_Release(&view_);
        }
        PyErr_Clear();
        view_.obj = nullptr;
        if (!nb::try_cast(nb::handle(object), other_)) throw nb::value_error((std::string(name) + " must be " + kind).c_str());
        data = other_.data();
        for (int i = 0; i < kAxes; ++i) shape[i] = other_.shape(i);
    }

    const T* data = nullptr;
    std::size_t shape[kAxes] = {};

private:
    static bool is_format(const char* format) {
        const char letter = std::is_same_v<T, float> ? 'f' : 'i';
        return format && format[0] == letter && format[1] == 0;
    }

    Py_buffer view_{};
    Array<T, nb::ndim<kAxes>> other_;
};

// A sentence that a search reads without the GIL. Tags are copied: a search checks them once and relies on them, so another
// thread that changes the arrays meanwhile must not be able to change what it reads. The leaf states, which are large, stay
// where they are and are kept alive: a search relies on none of their values.
class HeldSentence {
public:
    explicit HeldSentence(nb::handle sentence) {
        static PyObject *const tags_name = interned("tags"), *const values_name = interned("log_probabilities"),
                        *const offsets_name = interned("offsets"), *const states_name = interned("states"),
                        *const pruned_name = interned("pruned");
        copy(attribute(sentence, tags_name), "tags", "a one-dimensional array of int32", tags_);
        copy(attribute(sentence, values_name), "log_probabilities", "a one-dimensional array of float32", values_);
        copy(attribute(sentence, offsets_name), "offsets", "a one-dimensional array of int32", offsets_);
        if (offsets_.empty()) throw nb::value_error("offsets must have one number more than there are words");
        if (tags_.size() != values_.size()) throw nb::value_error("tags and log_probabilities must have the same length");
        if (offsets_.size() > std::numeric_limits<int>::max()) throw nb::value_error("too many words");
        view.words = static_cast<int>(offsets_.size()) - 1;
        view.tags = tags_.data(), view.log_probabilities = values_.data(), view.offsets = offsets_.data();
        view.tag_count = static_cast<long>(tags_.size());
        if (const nb::object pruned = attribute(sentence, pruned_name); !pruned.is_none()) {
            copy(pruned, "pruned", "a one-dimensional array of float32", pruned_);
            if (pruned_.size() + 1 != offsets_.size()) throw nb::value_error("pruned must have one number for each word");
            view.pruned = pruned_.data();
        }
        if (const nb::object states = attribute(sentence, states_name); !states.is_none()) {
            states_.open(states.ptr(), "states", "an array of float32 of shape (words, 4, cells)");
            if (states_.shape[1] != 4 || states_.shape[0] + 1 != offsets_.size())
                throw nb::value_error("states must have the shape (words, 4, cells)");
            view.states = states_.data;
            view.cells = static_cast<int>(states_.shape[2]);
        }
    }

    SentenceView view;

private:
    template <class T>
    static void copy(const nb::object& from, const char* name, const char* kind, std::vector<T>& to) {
        ReadArray<T, 1> array;
        array.open(from.ptr(), name, kind);
        to.assign(array.data, array.data + array.shape[0]);
    }

    std::vector<std::int32_t> tags_, offsets_;
    std::vector<float> values_, pruned_;
    ReadArray<float, 3> states_;
};

// A deque, since held sentences do not move: a buffer may point into itself.
inline std::deque<HeldSentence> hold_all(nb::sequence sentences) {
    std::deque<HeldSentence> held;
    for (nb::handle sentence : sentences) held.emplace_back(sentence);
    return held;
}

inline std::int32_t int_attribute(nb::handle object, PyObject* name) {
    const long value = PyLong_AsLong(attribute(object, name).ptr());
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
        throw nb::value_error("derivation: a number is too large");
    return static_cast<std::int32_t>(value);
}

inline std::vector<Node> nodes_in(nb::handle list) {
    static PyObject *const rule = interned("rule"), *const category = interned("category"), *const start = interned("start"),
                    *const end = interned("end"), *const left = interned("left"), *const right = interned("right");
    std::vector<Node> nodes;
    for (nb::handle item : list)
        nodes.push_back({.rule = int_attribute(item, rule), .category = int_attribute(item, category),
                         .start = int_attribute(item, start), .end = int_attribute(item, end),
                         .left = int_attribute(item, left), .right = int_attribute(item, right), .local = 0, .global = 0});
    return nodes;
}

// A cost is a float in Python and a score on the grid in the core.
inline void bind_cost(nb::class_<Options>& options, const char* name, Score Options::*cost) {
    options.def_prop_rw(
        name, [cost](const Options& self) { return from_grid(self.*cost); },
        [cost, name](Options& self, double value) { self.*cost = cost_on_grid(value, name); });
}

inline void bind_options(nb::module_& m) {
    nb::enum_<Decoder>(m, "Decoder")
        .value("SUPERTAG", Decoder::supertag)
        .value("SUPERTAG_FOREST", Decoder::supertag_forest)
        .value("SPAN", Decoder::span)
        .value("SPAN_FOREST", Decoder::span_forest)
        .value("GLOBAL", Decoder::global)
        .value("BEAM", Decoder::beam)
        .value("RERANK", Decoder::rerank);
    nb::class_<Limits>(m, "Limits")
        .def(nb::init<>())
        .def_rw("forest", &Limits::forest)
        .def_rw("agenda", &Limits::agenda)
        .def_rw("recursive_units", &Limits::recursive_units)
        .def_rw("words", &Limits::words)
        .def_rw("seconds", &Limits::seconds);
    nb::class_<Options> options(m, "Options");
    options
        .def(nb::init<>())
        .def_rw("decoder", &Options::decoder)
        .def_rw("heuristic", &Options::heuristic)
        .def_rw("lazy", &Options::lazy)
        .def_rw("backoff", &Options::backoff)
        .def_rw("backoff_beam", &Options::backoff_beam)
        .def_rw("grammar_bound", &Options::grammar_bound)
        .def_rw("counts_checks", &Options::counts_checks)
        .def_rw("ties", &Options::ties)
        .def_rw("nbest", &Options::nbest)
        .def_rw("beam_size", &Options::beam_size)
        .def_rw("rerank_size", &Options::rerank_size)
        .def_rw("refine_after", &Options::refine_after, nb::arg().none())
        .def_rw("limits", &Options::limits);
    bind_cost(options, "unary_cost", &Options::unary_cost);
    bind_cost(options, "distance_cost", &Options::distance_cost);
    bind_cost(options, "backoff_unary_cost", &Options::backoff_unary_cost);
    bind_cost(options, "backoff_distance_cost", &Options::backoff_distance_cost);
}

}  // namespace starccg
