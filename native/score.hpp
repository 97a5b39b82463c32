// Scores on a grid of multiples of 2^-20, held as whole numbers: sums are exact, so ties are true ties and lazy
// scoring gives bit for bit what eager scoring gives.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace starccg {

using Score = std::int64_t;

inline constexpr double kGrid = 1048576.0;  // 2^20
inline constexpr double kLargest = 1048576.0;  // no single score is larger than this in size: sums stay exact
inline constexpr Score kNone = std::numeric_limits<Score>::min();  // minus infinity

inline Score to_grid(double value) { return std::llrint(value * kGrid); }

inline double from_grid(Score score) {
    return score == kNone ? -std::numeric_limits<double>::infinity() : static_cast<double>(score) / kGrid;
}

}  // namespace starccg
