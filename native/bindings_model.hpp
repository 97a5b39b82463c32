// The global model as Python sees it: its weights, one recursive unit, and how fast that is.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "bindings_input.hpp"
#include "tree_lstm.hpp"

namespace starccg {

inline void expect(bool fine, const char* what) {
    if (!fine) throw nb::value_error(what);
}

inline void bind_model(nb::module_& m) {
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
}

}  // namespace starccg
