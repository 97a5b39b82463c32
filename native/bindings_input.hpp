// What Python hands over: arrays held while a search reads them, options, derivations.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "search.hpp"

namespace starccg {

namespace nb = nanobind;

template <class T, class... Shape>
using Array = nb::ndarray<const T, Shape..., nb::c_contig, nb::device::cpu>;
using Ints = Array<std::int32_t, nb::ndim<1>>;
using Floats1d = Array<float, nb::ndim<1>>;
using Floats2d = Array<float, nb::ndim<2>>;
using Floats3d = Array<float, nb::ndim<3>>;

template <class T, class A>
std::vector<T> to_vector(const A& array) {
    return std::vector<T>(array.data(), array.data() + array.size());
}

// An attribute's name as Python keeps it: looked up for every sentence, made once.
inline PyObject* interned(const char* name) {
    PyObject* made = PyUnicode_InternFromString(name);
    if (!made) throw nb::python_error();
    return made;
}

// One array of a sentence: read where it lies through Python's buffer protocol, which is much quicker than DLPack; what
// is of another type or shape goes through nanobind, which converts it or gives up.
template <class T, int kAxes>
class HeldArray {
public:
    HeldArray() = default;
    HeldArray(const HeldArray&) = delete;
    HeldArray& operator=(const HeldArray&) = delete;
    ~HeldArray() {
        if (view_.obj) PyBuffer_Release(&view_);
    }

    void hold(PyObject* object, const char* name, const char* kind) {
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

// A sentence's arrays, held while a search reads them.
class HeldSentence {
public:
    explicit HeldSentence(nb::handle sentence) {
        static PyObject *const tags_name = interned("tags"), *const values_name = interned("log_probabilities"),
                        *const offsets_name = interned("offsets"), *const states_name = interned("states");
        const auto attribute = [&](PyObject* name) {
            PyObject* found = PyObject_GetAttr(sentence.ptr(), name);
            if (!found) throw nb::python_error();
            return nb::steal(found);
        };
        tags_.hold(attribute(tags_name).ptr(), "tags", "a one-dimensional array of int32");
        values_.hold(attribute(values_name).ptr(), "log_probabilities", "a one-dimensional array of float32");
        offsets_.hold(attribute(offsets_name).ptr(), "offsets", "a one-dimensional array of int32");
        if (offsets_.shape[0] == 0) throw nb::value_error("offsets must have one number more than there are words");
        if (tags_.shape[0] != values_.shape[0]) throw nb::value_error("tags and log_probabilities must be of one length");
        view.words = static_cast<int>(offsets_.shape[0]) - 1;
        view.tags = tags_.data;
        view.log_probabilities = values_.data;
        view.offsets = offsets_.data;
        view.tag_count = static_cast<long>(tags_.shape[0]);
        const nb::object states = attribute(states_name);
        if (states.is_none()) return;
        states_.hold(states.ptr(), "states", "an array of float32 of shape (words, 4, cells)");
        if (states_.shape[1] != 4 || static_cast<int>(states_.shape[0]) != view.words)
            throw nb::value_error("states must have the shape (words, 4, cells)");
        view.states = states_.data;
        view.cells = static_cast<int>(states_.shape[2]);
    }

    SentenceView view;

private:
    HeldArray<std::int32_t, 1> tags_, offsets_;
    HeldArray<float, 1> values_;
    HeldArray<float, 3> states_;
};

// They do not move: a buffer may point into itself.
inline std::deque<HeldSentence> hold_all(nb::list sentences) {
    std::deque<HeldSentence> held;
    for (nb::handle sentence : sentences) held.emplace_back(sentence);
    return held;
}

inline Score cost_of(double value, const char* name) {
    if (!(value >= 0 && value < kLargest))
        throw nb::value_error((std::string(name) + " must be a number from 0 up to 2^20").c_str());
    return to_grid(value);
}

inline Options options_of(nb::tuple t) {
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
    o.grammar_bound = nb::cast<bool>(t[16]);
    o.backoff_unary_cost = cost_of(nb::cast<double>(t[14]), "backoff_unary_cost");
    o.backoff_distance_cost = cost_of(nb::cast<double>(t[15]), "backoff_distance_cost");
    if (o.limits.seconds != o.limits.seconds) throw nb::value_error("limits.seconds is not a number");
    return o;
}

inline std::vector<Node> nodes_in(nb::handle list) {
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

}  // namespace starccg
