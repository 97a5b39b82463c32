// What a search is asked for.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "score.hpp"

namespace starccg {

enum class Decoder { supertag, supertag_forest, span, span_forest, global, beam, rerank };

inline bool needs_model(Decoder decoder) { return decoder != Decoder::supertag && decoder != Decoder::supertag_forest; }
inline bool is_span_factored(Decoder decoder) { return decoder == Decoder::span || decoder == Decoder::span_forest; }

struct Limits {
    std::int64_t forest = 500000, agenda = 2000000, recursive_units = 200000, words = 250;
    double seconds = std::numeric_limits<double>::infinity();
};

struct Options {
    Decoder decoder = Decoder::supertag;
    bool heuristic = true, lazy = true, backoff = true;
    bool backoff_beam = true;    // the back-off begins with beam searches under the global model
    bool grammar_bound = false;  // the heuristic of outside.hpp, not only the best tags
    bool counts_checks = false;  // for tests: limits.seconds is a number of check points (see deadline.hpp)
    bool ties = false;  // of search_gold: a head that is not gold is a violation even where it only ties with gold
    int nbest = 1, beam_size = 8, rerank_size = 100;
    std::optional<std::int64_t> refine_after = 1000;  // nodes explored before the bound is first refined; none: never
    Score unary_cost = 0, distance_cost = 0;
    Score backoff_unary_cost = 0, backoff_distance_cost = 0;  // used by the back-off in place of the costs above
    Limits limits;
};

// A cost on the grid. Throws std::invalid_argument with its name if it is negative, too large or not a number.
inline Score cost_on_grid(double cost, const char* name) {
    if (!(cost >= 0 && cost < kLargest))  // a negative cost would break the outside bound
        throw std::invalid_argument(std::string(name) + " must be a number from 0 up to 2^20");
    return to_grid(cost);
}

// Throws std::invalid_argument if no search can work with these options.
inline void check_options(const Options& options) {
    const auto check = [](bool fine, const char* what) {
        if (!fine) throw std::invalid_argument(what);
    };
    check(options.decoder >= Decoder::supertag && options.decoder <= Decoder::rerank, "unknown decoder");
    check(options.nbest >= 1, "nbest must be at least 1");
    check(options.beam_size >= 1, "beam_size must be at least 1");
    check(options.rerank_size >= 1, "rerank_size must be at least 1");
    check(options.refine_after.value_or(0) >= 0, "refine_after must not be negative");
    check(options.unary_cost >= 0 && options.distance_cost >= 0 && options.backoff_unary_cost >= 0 &&
              options.backoff_distance_cost >= 0,
          "costs must not be negative: the outside bound would not hold");
    check(!std::isnan(options.limits.seconds), "limits.seconds is not a number");
}

}  // namespace starccg
