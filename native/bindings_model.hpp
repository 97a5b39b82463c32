// The global model as Python sees it: its weights, and one recursive unit.
#pragma once
#include <nanobind/nanobind.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "bindings_input.hpp"
#include "tree_lstm.hpp"

namespace starccg {

using Floats = Array<float>;

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
    auto* node = new float[2 * d];
    std::copy_n(made, d, node);
    std::copy_n(made + self.padded(), d, node + d);
    nb::capsule owner(node, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return nb::make_tuple(nb::ndarray<nb::numpy, float, nb::ndim<2>>(node, {2, d}, owner), from_grid(score));
}

inline void bind_model(nb::module_& m) {
    nb::class_<TreeLstm>(m, "Model")
        .def("__init__", make_model)
        .def("unit", run_unit, nb::arg("rule"), nb::arg("category"), nb::arg("left").none(), nb::arg("right"));
}

}  // namespace starccg
