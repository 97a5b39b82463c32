#include "beam.hpp"

#include <algorithm>

namespace starccg {
namespace {

class Beam {
public:
    Beam(const RuleTable& table, const Options& options, const Limits& limits, bool with_model, Workspace& w,
         Interrupt& interrupt, Clock::time_point begin, std::int64_t& explored)
        : table_(table), options_(options), limits_(limits), with_model_(with_model), w_(w), interrupt_(interrupt), begin_(begin), explored_(explored),
          words_(w.tags.words()), heap_(w.beam.heap), labels_(w.beam.labels) {
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

    static Score score_of(const Candidate& candidate) { return candidate.item.inside + candidate.root; }
    static bool after(const Candidate& a, const Candidate& b) {
        return score_of(a) != score_of(b) ? score_of(a) < score_of(b) : a.age > b.age;
    }

    void add(Score inside, int start, int end, int category, int rule, std::uint32_t left, std::uint32_t right, int head,
             int chain) {
        push({{inside, left, right, kNoItem, kNoItem, static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(end),
               static_cast<std::uint16_t>(category), static_cast<std::uint16_t>(head), static_cast<std::uint8_t>(rule),
               static_cast<std::uint8_t>(chain), 0, 0},
              age_++,
              kNoItem,
              0});
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

    std::uint32_t builders(int start) const { return start == 0 ? ~std::uint32_t{0} : ~table_.start_only(); }

    Stop fill(int start, int end) {
        heap_.clear();
        labels_.clear();
        age_ = 0;
        if (end == start + 1)
            for (int rank = 0; rank < w_.tags.tags(start); ++rank) {
                const Tag& tag = w_.tags.tag(start, rank);
                add(tag.score, start, end, tag.category, kLexicon, kNoItem, rank, start, 0);
            }
        for (int middle = start + 1; middle < end; ++middle)
            for (std::size_t left = span(start, middle).begin; left < span(start, middle).end; ++left)
                for (std::size_t right = span(middle, end).begin; right < span(middle, end).end; ++right)
                    join(w_.beam.kept[left], w_.beam.kept[right]);
        span(start, end) = {w_.beam.kept.size(), w_.beam.kept.size()};
        const bool whole = end - start == words_;
        std::size_t taken = 0;
        while (!heap_.empty() && taken < static_cast<std::size_t>(options_.beam)) {
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
                    push(best);
                    continue;
                }
            }
            if (!with_model_ && is_repeated(best.item)) {
                w_.items.pop_back();
                continue;
            }
            ++explored_;
            const std::uint32_t id = best.id;
            const Item item = best.item;
            if (whole) {
                if (table_.root_score(item.category) != 0) {
                    best.item.goal = 1;
                    best.root = table_.root_score(item.category);
                    push(best);
                } else if (table_.is_root(item.category)) {
                    w_.complete.push_back(id), ++taken;
                }
            } else {
                w_.beam.kept.push_back(id), ++taken;
                span(start, end).end = w_.beam.kept.size();
            }
            if (whole && !table_.unary_at_root()) continue;
            if (table_.max_unary_chain() > 0 && item.chain >= table_.max_unary_chain()) continue;
            const std::uint32_t mask = table_.unary_allowed(item.rule) & builders(start);
            for (const UnaryEntry* rule = table_.unary_begin(item.category); rule != table_.unary_end(item.category); ++rule)
                if (mask >> rule->rule & 1)
                    add(item.inside - options_.unary_cost, start, end, rule->result, rule->rule, id, kNoItem, item.head,
                        std::min(item.chain + 1, 63));
        }
        return Stop::none;
    }

    // Without the global model nothing is lost by keeping only the best subtree of each category and class.
    bool is_repeated(const Item& item) {
        const std::uint64_t label = label_signature(item.category, table_.rule_class(item.rule)) | item.chain;
        if (std::find(labels_.begin(), labels_.end(), label) != labels_.end()) return true;
        labels_.push_back(label);
        return false;
    }

    void join(std::uint32_t left_id, std::uint32_t right_id) {
        const Item left = w_.items[left_id], right = w_.items[right_id];
        const PartnerBits& word = table_.right_partners(left.category)[right.category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (right.category % 64);
        if (!(word.bits & bit)) return;
        const std::uint32_t pair = word.first + count_bits(word.bits & (bit - 1));
        const std::uint32_t mask = table_.allowed(left.rule, right.rule) & builders(left.start);
        for (const BinaryEntry* rule = table_.rules_begin(pair); rule != table_.rules_end(pair); ++rule)
            if (mask >> rule->rule & 1)
                add(left.inside + right.inside - options_.distance_cost * std::abs(left.head - right.head), left.start,
                    right.end, rule->result, rule->rule, left_id, right_id, rule->head ? right.head : left.head, 0);
    }

    Stop over_limit() {
        const Limits& limits = limits_;
        if (explored_ >= limits.forest) return Stop::forest;
        if (static_cast<std::int64_t>(w_.items.size()) >= limits.agenda) return Stop::agenda;
        if (with_model_ && w_.scorer.units() >= limits.recursive_units) return Stop::recursive_units;
        if (--until_clock_ > 0) return Stop::none;
        until_clock_ = 256;
        return must_stop(interrupt_, limits.seconds, begin_);
    }

    const RuleTable& table_;
    const Options& options_;
    const Limits& limits_;
    const bool with_model_;
    Workspace& w_;
    Interrupt& interrupt_;
    Clock::time_point begin_;
    std::int64_t& explored_;
    const int words_;
    Arena<Candidate>& heap_;
    Arena<std::uint64_t>& labels_;  // of what was kept over this span
    std::uint32_t age_ = 0;
    int until_clock_ = 256;
};

}  // namespace

Stop beam_search(const RuleTable& table, const Options& options, const Limits& limits, bool with_model, Workspace& workspace,
                 Interrupt& interrupt, Clock::time_point begin, std::int64_t& explored) {
    return Beam(table, options, limits, with_model, workspace, interrupt, begin, explored).run();
}

}  // namespace starccg
