// The global model as Python sees it: its weights, one recursive unit, and how long a unit takes.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

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

// Memory for one recursive unit: states of both children and of the node, and both children's shares.
struct UnitMemory {
    explicit UnitMemory(const TreeLstm& model)
        : memory(aligned_floats(3 * model.state_floats() + 2 * model.share_floats())), left(memory.get()),
          right(left + model.state_floats()), node(right + model.state_floats()), left_share(node + model.state_floats()),
          right_share(left_share + model.share_floats()) {}

    Score run(const TreeLstm& model, int rule, int category) {
        model.share(rule, 0, left, left_share);
        model.share(rule, 1, right, right_share);
        return model.unit(rule, category, {left, left_share}, {right, right_share}, node);
    }

    AlignedFloats memory;
    float *left, *right, *node, *left_share, *right_share;
};

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
    UnitMemory memory(self);
    if (left.is_none()) {
        std::copy_n(self.unary_left(), self.state_floats(), memory.left);
    } else {
        const Floats own_left = nb::cast<Floats>(left);
        const float* state = values_of(own_left, "the state of the left child", {2, d});
        self.pad(state, state + d, memory.left);
    }
    const float* state = values_of(right, "the state of the right child", {2, d});
    self.pad(state, state + d, memory.right);
    const Score score = memory.run(self, rule, category);
    auto* node = new float[2 * d];
    std::copy_n(memory.node, d, node);
    std::copy_n(memory.node + self.padded(), d, node + d);
    nb::capsule owner(node, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    return nb::make_tuple(nb::ndarray<nb::numpy, float, nb::ndim<2>>(node, {2, d}, owner), from_grid(score));
}

// Seconds of single units and of reading the same weights, in alternation.
inline std::pair<std::vector<double>, std::vector<double>> time_units(const TreeLstm& self, int repeats) {
    UnitMemory memory(self);
    std::fill_n(memory.left, self.state_floats(), 0.25f);
    std::fill_n(memory.right, self.state_floats(), 0.25f);
    std::vector<double> units, reads;
    volatile float sink = 0;
    const int rule = self.types() > 1 ? 1 : 0;
    for (int i = 0; i < repeats; ++i) {
        const Clock::time_point begin = Clock::now();
        memory.run(self, rule, 0);
        const Clock::time_point between = Clock::now();
        sink = self.kernels().stream(self.rule_weights(rule), self.rule_floats());
        const Clock::time_point end = Clock::now();
        units.push_back(std::chrono::duration<double>(between - begin).count());
        reads.push_back(std::chrono::duration<double>(end - between).count());
    }
    (void)sink;
    return {units, reads};
}

inline void bind_model(nb::module_& m) {
    nb::class_<TreeLstm>(m, "Model")
        .def("__init__", make_model)
        .def("unit", run_unit, nb::arg("rule"), nb::arg("category"), nb::arg("left").none(), nb::arg("right"))
        .def("time_units", time_units, nb::arg("repeats"));
}

}  // namespace starccg
