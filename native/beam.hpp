// Bottom-up beam search (the paper's Table 5): of each span the `beam` best subtrees. The one other loop.
#pragma once
#include "search.hpp"

namespace starccg {

struct BeamInput {
    const RuleTable& table;
    const Options& options;
    const Limits& limits;
    Workspace& w;
    Deadline& deadline;
    bool with_model;                      // then w.scorer is ready for the sentence
    const OutsideBound* bound = nullptr;  // none: the order is that of the inside scores
    std::int64_t explored = 0;
};

// Fills w.items and w.complete (best first). Stop::none if a complete parse was found. Without the
// global model it is the last resort of the back-off: its time and memory are bounded by the length alone. With a bound the
// subtrees of a span are ordered by inside + outside, and those that fit into no complete parse are dropped.
Stop beam_search(BeamInput& input);

}  // namespace starccg
