// Bottom-up beam search (the paper's Table 5): of each span the `beam_size` best subtrees.
#pragma once
#include "search.hpp"

namespace starccg {

// Fills w.items and w.complete (best first). Stop::none if a complete parse was found. With the global model w.scorer must
// be ready for the sentence. Without it this is the last resort of the back-off: its time and memory are bounded by the
// length alone. With a bound the subtrees of a span are ordered by inside + outside, not by inside scores, and those that fit
// into no complete parse are dropped.
Stop beam_search(LoopInput& input, bool with_model);

}  // namespace starccg
