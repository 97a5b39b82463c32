#include "beam.hpp"

#include <algorithm>

namespace starccg {
namespace {

class Beam {
public:
    Beam(const RuleTable& table, const Options& options, Workspace& w, Interrupt& interrupt, Clock::time_point begin,
         std::int64_t& explored)
        : table_(table), options_(options), w_(w), interrupt_(interrupt), begin_(begin), explored_(explored),
          words_(w.tags.words()), kept_(static_cast<std::size_t>(words_) * (words_ + 1)) {}

    Stop run() {
        w_.items.clear();
        w_.complete.clear();
        for (int length = 1; length <= words_; ++length)
            for (int start = 0; start + length <= words_; ++start)
                if (const Stop stop = fill(start, start + length); stop != Stop::none) return stop;
        return w_.complete.empty() ? Stop::exhausted : Stop::none;
    }

private:
    std::vector<std::uint32_t>& kept(int start, int end) { return kept_[static_cast<std::size_t>(start) * (words_ + 1) + end]; }

    bool after(std::uint32_t a, std::uint32_t b) const {
        return w_.items[a].inside != w_.items[b].inside ? w_.items[a].inside < w_.items[b].inside : a > b;
    }

    void add(Score inside, int start, int end, int category, int rule, std::uint32_t left, std::uint32_t right, int head,
             int chain) {
        const auto id = static_cast<std::uint32_t>(w_.items.size());
        w_.items.push_back({inside, left, right, kNoItem, kNoItem, static_cast<std::uint16_t>(start),
                            static_cast<std::uint16_t>(end), static_cast<std::uint16_t>(category),
                            static_cast<std::uint16_t>(head), static_cast<std::uint8_t>(rule),
                            static_cast<std::uint8_t>(chain), 0, 0});
        push(id);
    }
    void push(std::uint32_t id) {
        heap_.push_back(id);
        std::push_heap(heap_.begin(), heap_.end(), [this](auto a, auto b) { return after(a, b); });
    }
    std::uint32_t pop() {
        std::pop_heap(heap_.begin(), heap_.end(), [this](auto a, auto b) { return after(a, b); });
        const std::uint32_t id = heap_.back();
        heap_.pop_back();
        return id;
    }

    std::uint32_t builders(int start) const { return start == 0 ? ~std::uint32_t{0} : ~table_.start_only(); }

    Stop fill(int start, int end) {
        heap_.clear();
        if (end == start + 1)
            for (int rank = 0; rank < w_.tags.tags(start); ++rank) {
                const Tag& tag = w_.tags.tag(start, rank);
                add(tag.score, start, end, tag.category, kLexicon, kNoItem, rank, start, 0);
            }
        for (int middle = start + 1; middle < end; ++middle)
            for (const std::uint32_t left : kept(start, middle))
                for (const std::uint32_t right : kept(middle, end)) join(left, right);
        const bool whole = end - start == words_;
        std::size_t taken = 0;
        while (!heap_.empty() && taken < static_cast<std::size_t>(options_.beam)) {
            const std::uint32_t id = pop();
            if (!w_.items[id].scored) {
                if (const Stop stop = over_limit(); stop != Stop::none) return stop;
                const Score global = w_.scorer.score(w_.items, id);
                w_.items[id].inside += global;
                w_.items[id].scored = 1;
                push(id);
                continue;
            }
            ++explored_;
            const Item item = w_.items[id];
            if (whole) {
                if (table_.is_root(item.category)) w_.complete.push_back(id), ++taken;
            } else {
                kept(start, end).push_back(id), ++taken;
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
        const Limits& limits = options_.limits;
        if (explored_ >= limits.forest) return Stop::forest;
        if (static_cast<std::int64_t>(w_.items.size()) >= limits.agenda) return Stop::agenda;
        if (w_.scorer.units() >= limits.recursive_units) return Stop::recursive_units;
        if (--until_clock_ > 0) return Stop::none;
        until_clock_ = 256;
        if (interrupt_.stop.load(std::memory_order_relaxed)) return Stop::interrupted;
        if (interrupt_.poll && interrupt_.poll(interrupt_.context)) {
            interrupt_.stop.store(true);
            return Stop::interrupted;
        }
        if (limits.seconds < 1e18 && seconds_since(begin_) >= limits.seconds) return Stop::seconds;
        return Stop::none;
    }

    const RuleTable& table_;
    const Options& options_;
    Workspace& w_;
    Interrupt& interrupt_;
    Clock::time_point begin_;
    std::int64_t& explored_;
    const int words_;
    std::vector<std::vector<std::uint32_t>> kept_;
    std::vector<std::uint32_t> heap_;
    int until_clock_ = 256;
};

}  // namespace

Stop beam_search(const RuleTable& table, const Options& options, Workspace& workspace, Interrupt& interrupt,
                 Clock::time_point begin, std::int64_t& explored) {
    return Beam(table, options, workspace, interrupt, begin, explored).run();
}

}  // namespace starccg
