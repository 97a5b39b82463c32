// The leaf LSTM as Python sees it.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <vector>

#include "bindings_model.hpp"
#include "leaf_lstm.hpp"

namespace starccg {

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
inline nb::object leaf_states(const LeafLstm& self, const Floats& inputs, const std::vector<std::size_t>& lengths) {
    std::size_t total = 0;
    for (const std::size_t n : lengths) {
        if (n > std::numeric_limits<int>::max() - total) throw nb::value_error("lengths: too many words");
        total += n;
    }
    const auto d = static_cast<std::size_t>(self.cells()), w = static_cast<std::size_t>(self.words());
    const float* x = values_of(inputs, "inputs", {total, w});
    auto* states = new float[total * 4 * d];
    nb::capsule owner(states, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    {
        const nb::gil_scoped_release release;
        float* to = states;
        for (const std::size_t n : lengths) {
            self.run(x, static_cast<int>(n), to);
            x += n * w;
            to += n * 4 * d;
        }
    }
    return nb::cast(nb::ndarray<nb::numpy, float, nb::ndim<3>>(states, {total, 4, d}, owner));
}

inline void bind_leaf_lstm(nb::module_& m) {
    nb::class_<LeafLstm>(m, "LeafLstm")
        .def("__init__", make_leaf_lstm)
        .def("states", leaf_states, nb::arg("inputs"), nb::arg("lengths"));
}

}  // namespace starccg
