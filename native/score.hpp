// Scores are multiples of 2^-20 (the grid), held as integers: sums are exact, so ties are true ties and lazy and eager
// scoring give the same scores bit for bit.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace starccg {

using Score = std::int64_t;

inline constexpr double kGrid = 1048576.0;  // 2^20
inline constexpr double kLargest = 1048576.0;  // the largest absolute value of a single score, so that sums do not overflow
inline constexpr Score kNone = std::numeric_limits<Score>::min();  // minus infinity
inline constexpr Score kUnknown = std::numeric_limits<Score>::max();  // of an upper bound: infinity

inline Score to_grid(double value) { return std::llrint(value * kGrid); }

inline double from_grid(Score score) {
    if (score == kNone) return -std::numeric_limits<double>::infinity();
    if (score == kUnknown) return std::numeric_limits<double>::infinity();
    return static_cast<double>(score) / kGrid;
}

}  // namespace starccg
