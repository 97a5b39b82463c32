#include <algorithm>

#include "search.hpp"

namespace starccg {
namespace {

class Beam {
public:
    Beam(LoopInput& input, bool with_model)
        : in_(input), with_model_(with_model), table_(input.table), w_(input.w), words_(input.w.tags.words()),
          heap_(input.w.beam.heap), labels_(input.w.beam.labels), check_deadline_(input.deadline, 256, 256) {
        w_.beam.spans.assign(static_cast<std::size_t>(words_) * (words_ + 1), {0, 0});
        w_.beam.kept.clear();
    }

    Stop run() {
        w_.items.clear();
        w_.complete.clear();
        for (int length = 1; length <= words_; ++length)
            for (int start = 0; start + length <= words_; ++start)
                if (const Stop stop = fill(start, start + length); stop != Stop::none) return stop;
        return w_.complete.empty() ? Stop::exhausted : Stop::none;
    }

private:
    using Candidate = BeamCandidate;  // they wait outside workspace.items, which only holds what was scored: most never are

    // What was kept over a span lies in a row, since spans are filled one after the other.
    BeamSpace::Kept& span(int start, int end) { return w_.beam.spans[static_cast<std::size_t>(start) * (words_ + 1) + end]; }

    static bool after(const Candidate& a, const Candidate& b) { return a.rank != b.rank ? a.rank < b.rank : a.age > b.age; }

    // What candidates of a span are ordered by; kNone: no complete parse has such a node.
    Score rank_of(const Item& item) const {
        if (!in_.bound) return item.inside;
        const NodeBound bound = in_.bound->guess(item.start, item.end, item.category);
        return bound.outside == kNone ? kNone : bound.priority(item.inside);
    }

    void add(const Item& item) {
        if (const Score rank = rank_of(item); rank != kNone) push({item, age_++, kNoItem, rank});
    }
    void push(const Candidate& candidate) {
        heap_.push_back(candidate);
        std::push_heap(heap_.begin(), heap_.end(), after);
    }
    Candidate pop() {
        std::pop_heap(heap_.begin(), heap_.end(), after);
        const Candidate best = heap_.back();
        heap_.pop_back();
        return best;
    }

    Stop fill(int start, int end) {
        heap_.clear();
        labels_.clear();
        age_ = 0;
        if (end == start + 1)
            for (int rank = 0; rank < w_.tags.tags(start); ++rank) add(leaf_item(start, rank, w_.tags.tag(start, rank)));
        for (int middle = start + 1; middle < end; ++middle)
            for (std::size_t left = span(start, middle).begin; left < span(start, middle).end; ++left)
                for (std::size_t right = span(middle, end).begin; right < span(middle, end).end; ++right)
                    join(w_.beam.kept[left], w_.beam.kept[right]);
        span(start, end) = {w_.beam.kept.size(), w_.beam.kept.size()};
        const bool whole = end - start == words_;
        std::size_t taken = 0;
        while (!heap_.empty() && taken < static_cast<std::size_t>(in_.options.beam_size)) {
            Candidate best = pop();
            if (const Stop stop = over_limit(); stop != Stop::none) return stop;
            if (best.item.goal) {
                w_.complete.push_back(best.id), ++taken;
                continue;
            }
            if (!best.item.scored) {
                best.id = static_cast<std::uint32_t>(w_.items.size());
                best.item.scored = 1;
                w_.items.push_back(best.item);
                if (with_model_) {
                    w_.items.back().inside += w_.scorer.score(w_.items, best.id);
                    best.item.inside = w_.items.back().inside;
                    best.rank = rank_of(best.item);
                    push(best);
                    continue;
                }
            }
            if (!with_model_ && is_repeated(best.item)) {
                w_.items.pop_back();
                continue;
            }
            ++in_.explored;
            const std::uint32_t id = best.id;
            const Item item = best.item;
            if (whole) {
                if (table_.root_score(item.category) != 0) {
                    best.item.goal = 1;
                    best.rank = item.inside + table_.root_score(item.category);
                    push(best);
                } else if (table_.is_root(item.category)) {
                    w_.complete.push_back(id), ++taken;
                }
            } else {
                w_.beam.kept.push_back(id), ++taken;
                span(start, end).end = w_.beam.kept.size();
            }
            if (whole && !table_.unary_at_root()) continue;
            for_each_unary(table_, {item, id}, in_.options.unary_cost, [&](const Item& made) { add(made); });
        }
        return Stop::none;
    }

    // Without the global model nothing is lost by keeping only the best subtree of each category and class.
    bool is_repeated(const Item& item) {
        const std::uint64_t own = label(item.category, table_.rule_class(item.rule), item.chain, 0);
        if (std::find(labels_.begin(), labels_.end(), own) != labels_.end()) return true;
        labels_.push_back(own);
        return false;
    }

    void join(std::uint32_t left_id, std::uint32_t right_id) {
        const Child left{w_.items[left_id], left_id}, right{w_.items[right_id], right_id};
        const std::uint32_t pair = table_.pair_of(left.category, right.category);
        if (pair == RuleTable::kNoPair) return;
        for_each_binary(table_, left, right, pair, in_.options.distance_cost,
                        [&](const Item& made, const BinaryEntry&) { add(made); });
    }

    Stop over_limit() {
        const Limits& limits = in_.limits;
        if (in_.explored >= limits.forest) return Stop::forest;
        if (static_cast<std::int64_t>(w_.items.size()) >= limits.agenda) return Stop::agenda;
        if (with_model_ && w_.scorer.units() >= limits.recursive_units) return Stop::recursive_units;
        return check_deadline_();
    }

    LoopInput& in_;
    const bool with_model_;
    const RuleTable& table_;
    Workspace& w_;
    const int words_;
    Arena<Candidate>& heap_;
    Arena<std::uint64_t>& labels_;  // of what was kept over this span
    std::uint32_t age_ = 0;
    PeriodicCheck check_deadline_;
};

}  // namespace

Stop beam_search(LoopInput& input, bool with_model) { return Beam(input, with_model).run(); }

}  // namespace starccg
