// What Python gets back: results, traces and events as classes with read-only fields.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "search.hpp"

namespace starccg {

namespace nb = nanobind;

// Scores are floats in Python.
template <class T>
auto score_of(Score T::*score) {
    return [score](const T& self) { return from_grid(self.*score); };
}

// Nodes as tuples in the order of the named tuple that Python makes of them.
inline nb::list node_tuples(const std::vector<Node>& nodes) {
    nb::list out;
    for (const Node& node : nodes)
        out.append(nb::make_tuple(node.rule, node.category, node.start, node.end, node.left, node.right,
                                  from_grid(node.local), from_grid(node.global)));
    return out;
}

inline const Found& found_at(const Result& result, std::size_t i) {
    if (i >= result.found.size()) throw nb::index_error();
    return result.found[i];
}

inline void bind_result(nb::module_& m) {
    nb::enum_<Stop>(m, "Stop")
        .value("NONE", Stop::none)
        .value("FOREST", Stop::forest)
        .value("AGENDA", Stop::agenda)
        .value("RECURSIVE_UNITS", Stop::recursive_units)
        .value("WORDS", Stop::words)
        .value("SECONDS", Stop::seconds)
        .value("EXHAUSTED", Stop::exhausted)
        .value("INTERRUPTED", Stop::interrupted)
        .value("GOLD", Stop::gold)
        .value("LOST", Stop::lost)
        .value("MARGIN", Stop::margin);
    nb::class_<Found>(m, "Found")
        .def_prop_ro("score", score_of(&Found::score))
        .def_prop_ro("upper_bound", score_of(&Found::upper_bound))
        .def_ro("optimal", &Found::optimal);
    nb::class_<Result>(m, "Result")
        .def_ro("found", &Result::found)
        .def("nodes", [](const Result& self, std::size_t i) { return node_tuples(nodes_of(found_at(self, i), self)); })
        .def_prop_ro("score", score_of(&Result::score))
        .def_prop_ro("upper_bound", score_of(&Result::upper_bound))
        .def_prop_ro("pruned_bound", score_of(&Result::pruned_bound))
        .def_ro("optimal", &Result::optimal)
        .def_ro("explored", &Result::explored)
        .def_ro("agenda", &Result::agenda)
        .def_ro("recursive_units", &Result::units)
        .def_ro("decoder", &Result::decoder)
        .def_ro("seconds", &Result::seconds)
        .def_ro("stopped", &Result::stopped);
}

// A column of a trace as an array that keeps the trace alive.
inline auto column(std::vector<std::int32_t> Trace::*column) {
    return [column](nb::handle_t<Trace> self) {
        std::vector<std::int32_t>& values = nb::cast<Trace&>(self).*column;
        return nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>(values.data(), {values.size()}, self);
    };
}

inline void bind_trace(nb::module_& m) {
    nb::class_<Trace>(m, "Trace")
        .def_prop_ro("rules", column(&Trace::rules))
        .def_prop_ro("categories", column(&Trace::categories))
        .def_prop_ro("lefts", column(&Trace::lefts))
        .def_prop_ro("rights", column(&Trace::rights))
        .def_prop_ro("starts", column(&Trace::starts))
        .def_prop_ro("ends", column(&Trace::ends))
        .def_prop_ro("greedy", column(&Trace::greedy))
        .def_prop_ro("max", column(&Trace::max))
        .def_prop_ro("all", column(&Trace::all))
        .def_prop_ro("violations", [](const Trace& self) {
            std::vector<double> values;
            for (const Score value : self.violations) values.push_back(from_grid(value));
            return values;
        })
        .def_ro("stopped", &Trace::stopped)
        .def_ro("explored", &Trace::explored)
        .def_ro("agenda", &Trace::agenda)
        .def_ro("recursive_units", &Trace::units)
        .def_ro("seconds", &Trace::seconds);
}

inline void bind_event(nb::module_& m) {
    nb::enum_<EventKind>(m, "EventKind")
        .value("PUSH", EventKind::push)
        .value("RESCORED", EventKind::rescored)
        .value("POP", EventKind::pop)
        .value("GOAL", EventKind::goal);
    nb::class_<Event>(m, "Event")
        .def_ro("kind", &Event::kind)
        .def_ro("item", &Event::item)
        .def_ro("rule", &Event::rule)
        .def_ro("category", &Event::category)
        .def_ro("start", &Event::start)
        .def_ro("end", &Event::end)
        .def_ro("left", &Event::left)
        .def_ro("right", &Event::right)
        .def_prop_ro("inside", score_of(&Event::inside))
        .def_prop_ro("outside", score_of(&Event::outside))
        .def_prop_ro("local_score", score_of(&Event::local))
        .def_prop_ro("global_score", score_of(&Event::global));
}

}  // namespace starccg
