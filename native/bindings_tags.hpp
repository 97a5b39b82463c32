// The kept tags as Python gets them: arrays that own their memory.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

#include "bindings_input.hpp"
#include "kept_tags.hpp"

namespace starccg {

template <class T>
nb::object array_of(std::vector<T> values) {
    auto* held = new std::vector<T>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(held->data(), {held->size()}, owner));
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

}  // namespace starccg
