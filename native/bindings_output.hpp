// What Python gets back, made of its own objects only where someone looks.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <vector>

#include "search.hpp"

namespace starccg {

namespace nb = nanobind;

inline const char* name_of(Stop stop) {
    static const char* const names[] = {"",        "forest",      "agenda", "recursive_units", "words", "seconds",
                                        "exhausted", "interrupted", "gold",   "lost",            "margin"};
    return names[static_cast<int>(stop)];
}

inline PyObject* own(PyObject* object) {
    if (!object) throw nb::python_error();
    return object;
}

// Node is a named tuple: made directly, since a sentence has dozens.
inline nb::object node_object(PyTypeObject* type, const Node& node) {
    nb::object out = nb::steal(own(type->tp_alloc(type, 8)));
    const long ints[6] = {node.rule, node.category, node.start, node.end, node.left, node.right};
    for (int i = 0; i < 6; ++i) PyTuple_SET_ITEM(out.ptr(), i, own(PyLong_FromLong(ints[i])));
    PyTuple_SET_ITEM(out.ptr(), 6, own(PyFloat_FromDouble(from_grid(node.local))));
    PyTuple_SET_ITEM(out.ptr(), 7, own(PyFloat_FromDouble(from_grid(node.global))));
    PyObject_GC_UnTrack(out.ptr());  // numbers only: nothing for the garbage collector to walk through
    return out;
}

inline nb::object nodes_object(PyTypeObject* type, const std::vector<Node>& nodes) {
    nb::object out = nb::steal(own(PyTuple_New(static_cast<Py_ssize_t>(nodes.size()))));
    for (std::size_t i = 0; i < nodes.size(); ++i)
        PyTuple_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), node_object(type, nodes[i]).release().ptr());
    return out;
}

// Set once, when starccg.search.core is imported: the named tuple of a node, and what reads Derivations.
inline PyTypeObject* node_type = nullptr;
inline PyObject* reader = nullptr;

inline void set_python_types(nb::handle node, nb::handle read) {
    if (!PyType_Check(node.ptr()) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(node.ptr()), &PyTuple_Type))
        throw nb::type_error("Node must be a named tuple");
    node_type = reinterpret_cast<PyTypeObject*>(node.inc_ref().ptr());
    reader = read.inc_ref().ptr();
}

// What a search found: called, it gives what Outcome holds.
struct Derivations {
    Result result;
    const Found& at(std::size_t i) const {
        if (i >= result.found.size()) throw nb::index_error();
        return result.found[i];
    }
};

inline nb::object trace_object(const Trace& t, nb::handle trace) {
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

inline nb::list events_object(const std::vector<Event>& events) {
    static const char* const kinds[] = {"push", "rescored", "pop", "goal"};
    nb::list list;
    for (const Event& e : events)
        list.append(nb::make_tuple(kinds[static_cast<int>(e.kind)], e.item, e.rule, e.category, e.start, e.end, e.left, e.right,
                                   from_grid(e.inside), from_grid(e.outside), from_grid(e.local), from_grid(e.global)));
    return list;
}

inline void bind_derivations(nb::module_& m) {
    nb::class_<Derivations>(m, "Derivations")
        .def("__len__", [](const Derivations& self) { return self.result.found.size(); })
        .def("__call__", [](nb::handle self) { return nb::steal(own(PyObject_CallOneArg(reader, self.ptr()))); })
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
    m.def("set_python_types", set_python_types);
}

}  // namespace starccg
