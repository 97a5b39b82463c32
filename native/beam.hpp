// Bottom-up beam search (the paper's Table 5): of each span the `beam` best subtrees. The one other loop.
#pragma once
#include "search.hpp"

namespace starccg {

// Fills workspace.items and workspace.complete (best first). Stop::none if a complete parse was found. Without the
// global model it is the last resort of the back-off: its time and memory are bounded by the length alone.
Stop beam_search(const RuleTable& table, const Options& options, const Limits& limits, bool with_model, Workspace& workspace,
                 Interrupt& interrupt, Clock::time_point begin, std::int64_t& explored);

}  // namespace starccg
