#include "options.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace starccg {

Score cost_on_grid(double cost, const char* name) {
    if (!(cost >= 0 && cost < kLargest))  // a negative cost would break the outside bound
        throw std::invalid_argument(std::string(name) + " must be a number from 0 up to 2^20");
    return to_grid(cost);
}

void check_options(const Options& options) {
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
