// The models as Python sees them: which tags are kept, the LSTM over the words, and the global model with its recursive unit.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bindings_input.hpp"
#include "kept_tags.hpp"
#include "leaf_lstm.hpp"
#include "tree_lstm.hpp"

namespace starccg {

using Floats = Array<float>;

// An array of Python's that owns these values.
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto* held = new std::vector<T>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(held->data(), shape, owner);
}
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T> values) {
    const std::size_t size = values.size();
    return array_of(std::move(values), {size});
}

// The values of an array that must have this shape.
inline const float* values_of(const Floats& array, const char* name, std::initializer_list<std::size_t> shape) {
    bool is_right = array.ndim() == shape.size();
    std::string given, wanted;
    for (std::size_t i = 0; i < array.ndim(); ++i) given += (i ? ", " : "") + std::to_string(array.shape(i));
    for (std::size_t i = 0; i < shape.size(); ++i) {
        wanted += (i ? ", " : "") + std::to_string(shape.begin()[i]);
        is_right = is_right && array.shape(i) == shape.begin()[i];
    }
    if (is_right) return array.data();
    throw nb::value_error((std::string(name) + " has the shape (" + given + "), not (" + wanted + ")").c_str());
}

// The same of a keyword argument, whose array the caller holds.
inline const float* values_of(const nb::kwargs& from, const char* name, std::initializer_list<std::size_t> shape) {
    return values_of(argument<Floats>(from, name), name, shape);
}

inline std::size_t axis(const nb::kwargs& from, const char* name, std::size_t axes, std::size_t i) {
    const auto array = argument<Floats>(from, name);
    if (array.ndim() == axes) return array.shape(i);
    throw nb::value_error((std::string(name) + " must have " + std::to_string(axes) + " axes, not " +
                           std::to_string(array.ndim())).c_str());
}

inline void make_model(TreeLstm* self, const nb::kwargs& in) {
    const std::size_t T = axis(in, "biases", 3, 0), d = axis(in, "biases", 3, 2);
    const std::size_t C = axis(in, "categories", 2, 0), e = axis(in, "categories", 2, 1);
    check_model_size(T, d, C, e);
    new (self) TreeLstm({.types = static_cast<int>(T), .cells = static_cast<int>(d), .categories = static_cast<int>(C),
                         .embedding = static_cast<int>(e),
                         .input_gate = values_of(in, "input_gate", {T, d, 4 * d + e}),
                         .forget_gate = values_of(in, "forget_gate", {T, d, 4 * d + e}),
                         .output_gate = values_of(in, "output_gate", {T, d, 3 * d + e}),
                         .candidate = values_of(in, "candidate", {T, d, 2 * d + e}),
                         .biases = values_of(in, "biases", {T, 4, d}),
                         .embeddings = values_of(in, "categories", {C, e}),
                         .unary_left = values_of(in, "unary_left", {2, d}),
                         .output = values_of(in, "output", {d}),
                         .output_reads_new_cell = argument<bool>(in, "output_reads_new_cell")});
}

// One unit; without a left state the node is unary.
inline nb::tuple run_unit(const TreeLstm& self, int rule, int category, nb::object left, const Floats& right) {
    const auto d = static_cast<std::size_t>(self.cells());
    if (rule < 0 || rule >= self.types()) throw nb::value_error("no such rule type");
    if (category < 0 || category >= self.categories()) throw nb::value_error("no such category");
    // The states of the left child, the right child and the node; the shares of both children.
    const AlignedFloats states = aligned_floats(3 * self.state_floats()), shares = aligned_floats(2 * self.share_floats());
    float *left_state = states.get(), *right_state = left_state + self.state_floats();
    float* made = right_state + self.state_floats();
    float *left_share = shares.get(), *right_share = left_share + self.share_floats();
    if (left.is_none()) {
        std::copy_n(self.unary_left(), self.state_floats(), left_state);
    } else {
        const Floats own_left = nb::cast<Floats>(left);
        const float* state = values_of(own_left, "the state of the left child", {2, d});
        self.pad(state, state + d, left_state);
    }
    const float* state = values_of(right, "the state of the right child", {2, d});
    self.pad(state, state + d, right_state);
    self.share(rule, 0, left_state, left_share);
    self.share(rule, 1, right_state, right_share);
    const Score score = self.unit(rule, category, {left_state, left_share}, {right_state, right_share}, made);
    std::vector<float> node(made, made + d);
    node.insert(node.end(), made + self.padded(), made + self.padded() + d);
    return nb::make_tuple(array_of(std::move(node), {2, d}), from_grid(score));
}

inline void make_leaf_lstm(LeafLstm* self, const nb::kwargs& in) {
    const std::size_t d = axis(in, "biases", 3, 2), wide = axis(in, "input_gate", 3, 2);
    if (wide <= 2 * d) throw nb::value_error("input_gate must read the words: its last axis is too short");
    const std::size_t w = wide - 2 * d;
    new (self) LeafLstm({.cells = static_cast<int>(d), .words = static_cast<int>(w),
                         .input_gate = values_of(in, "input_gate", {2, d, 2 * d + w}),
                         .output_gate = values_of(in, "output_gate", {2, d, 2 * d + w}),
                         .candidate = values_of(in, "candidate", {2, d, d + w}),
                         .biases = values_of(in, "biases", {2, 3, d}),
                         .boundary = values_of(in, "boundary", {2, 2, d}),
                         .output_reads_new_cell = argument<bool>(in, "output_reads_new_cell")});
}

// States (W, 4, d) of the words of all sentences; inputs (W, w). The arrays are the caller's own and stay unchanged.
inline nb::ndarray<nb::numpy, float> leaf_states(const LeafLstm& self, const Floats& inputs,
                                                 const std::vector<std::size_t>& lengths) {
    std::size_t total = 0;
    for (const std::size_t n : lengths) {
        if (n > std::numeric_limits<int>::max() - total) throw nb::value_error("lengths: too many words");
        total += n;
    }
    const auto d = static_cast<std::size_t>(self.cells()), w = static_cast<std::size_t>(self.words());
    const float* x = values_of(inputs, "inputs", {total, w});
    std::vector<float> states(total * 4 * d);
    {
        const nb::gil_scoped_release release;
        float* to = states.data();
        for (const std::size_t n : lengths) {
            self.run(x, static_cast<int>(n), to);
            x += n * w;
            to += n * 4 * d;
        }
    }
    return array_of(std::move(states), {total, 4, d});
}

inline nb::tuple kept_tags_of(Array<float, nb::ndim<2>> rows, float cut, std::size_t most) {
    KeptTags kept;
    {
        const nb::gil_scoped_release release;
        kept = kept_tags(rows.data(), rows.shape(0), rows.shape(1), cut, most);
    }
    return nb::make_tuple(array_of(std::move(kept.tags)), array_of(std::move(kept.scores)), array_of(std::move(kept.counts)),
                          array_of(std::move(kept.pruned)));
}

inline void bind_models(nb::module_& m) {
    nb::class_<TreeLstm>(m, "Model")
        .def("__init__", make_model)
        .def("unit", run_unit, nb::arg("rule"), nb::arg("category"), nb::arg("left").none(), nb::arg("right"));
    nb::class_<LeafLstm>(m, "LeafLstm")
        .def("__init__", make_leaf_lstm)
        .def("states", leaf_states, nb::arg("inputs"), nb::arg("lengths"));
    m.def("kept_tags", kept_tags_of, nb::arg("rows"), nb::arg("cut"), nb::arg("most"));
}

}  // namespace starccg
