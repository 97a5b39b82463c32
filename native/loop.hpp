// The one agenda loop. Its policies: dynamic programming or the forest of all subtrees, with or without a global
// model; the rest (heuristic, lazy or eager, n-best, gold-guided, recorded) are values it reads.
#pragma once
#include <algorithm>

#include "gold.hpp"
#include "search.hpp"

namespace starccg {

struct LoopInput {
    const RuleTable& table;
    const Options& options;
    const Limits& limits;
    Workspace& w;
    Interrupt& interrupt;
    Clock::time_point begin;
    std::vector<Event>* events = nullptr;
    GoldGuide* gold = nullptr;
    std::int64_t explored = 0;
};

template <bool kDynamic, bool kScored>
class Loop {
public:
    explicit Loop(LoopInput& input)
        : in_(input), table_(input.table), w_(input.w), items_(input.w.items), words_(input.w.tags.words()),
          unary_cost_(input.options.unary_cost), distance_cost_(input.options.distance_cost),
          records_edges_(kDynamic && input.options.nbest > 1), scores_roots_(input.table.scores_roots()) {
        w_.agenda.reset(words_, input.options.heuristic ? w_.tags.best() : 0);
        w_.chart.reset(words_, table_.categories(), table_.words_of_bits());
        if (kDynamic && !kScored)
            has_grid_ = !records_edges_ && table_.has_one_class() && !table_.chain_length_matters() &&
                        distance_cost_ == 0 && Grid::fits(words_, table_.categories());
        if (has_grid_) {
            w_.grid.reset(words_, table_.categories());
        } else if (kDynamic) {
            w_.places.reset(std::min<std::size_t>(static_cast<std::size_t>(words_) * words_ * 3 / 4, 1 << 16));
        }
        items_.clear();
        w_.edge_before.clear();
        w_.complete.clear();
        w_.waiting.clear();
        for (int word = 0; word < words_; ++word) {
            if (kScored) {
                for (int rank = 0; rank < w_.tags.tags(word); ++rank) push_tag(word, rank);
            } else {
                push_first_possible_tag(word, 0);
            }
        }
    }

    // Pops until `target` complete parses have been found, or the head's priority is `floor` or less, or `pops` nodes
    // have been explored in this call. Stop::none: one of these came true.
    Stop run(std::size_t target, Score floor, std::int64_t pops) {
        const std::int64_t enough = pops < 0 ? -1 : in_.explored + pops;
        while (w_.complete.size() < target) {
            if (w_.agenda.empty()) return Stop::exhausted;
            if (in_.explored == enough || (floor != kNone && w_.agenda.head_priority() <= floor)) return Stop::none;
            if (const Stop stop = over_limit(); stop != Stop::none) return stop;
            if (in_.gold) {
                if (in_.gold->on_agenda().empty()) return Stop::lost;
                if (w_.agenda.head_priority() < margin_) return Stop::margin;
            }
            const std::uint32_t id = w_.agenda.pop();
            if (kScored && !items_[id].scored) {
                rescore(id);
                continue;
            }
            if (scores_roots_ && items_[id].goal) {
                if (in_.gold && meets_gold(id)) return Stop::gold;
                if (in_.events) note(EventKind::goal, id);
                accept(id);
                continue;
            }
            if (!kScored && items_[id].is_leaf()) push_first_possible_tag(items_[id].start, items_[id].right + 1);
            if (kDynamic && items_[id].lost) continue;
            if (in_.gold && meets_gold(id)) return Stop::gold;
            explore(id);
        }
        return Stop::none;
    }

private:
    Score priority(const Item& item) const { return item.inside + w_.tags.outside(item.start, item.end); }
    // Of a complete parse that waits for its turn, the root score counts.
    Score score_of(const Item& item) const { return item.inside + (item.goal ? table_.root_score(item.category) : 0); }

    Stop over_limit() {
        const Limits& limits = in_.limits;
        if (in_.explored >= limits.forest) return Stop::forest;
        if (static_cast<std::int64_t>(items_.size()) >= limits.agenda) return Stop::agenda;
        if (kScored && w_.scorer.units() >= limits.recursive_units) return Stop::recursive_units;
        if (--until_clock_ > 0) return Stop::none;
        until_clock_ = 256;
        if (in_.interrupt.stop.load(std::memory_order_relaxed)) return Stop::interrupted;
        if (in_.interrupt.poll && in_.interrupt.poll(in_.interrupt.context)) {
            in_.interrupt.stop.store(true);
            return Stop::interrupted;
        }
        if (limits.seconds < 1e18 && seconds_since(in_.begin) >= limits.seconds) return Stop::seconds;
        return Stop::none;
    }

    // ---- pops ----

    void rescore(std::uint32_t id) {
        Item& item = items_[id];
        if (kDynamic && !records_edges_ && is_dominated(place_of(item), item.inside, id)) return;
        const Score global = w_.scorer.score(items_, id);
        item.inside += global;
        item.scored = 1;
        if (in_.events) note(EventKind::rescored, id);
        if (kDynamic && !take_place(place_of(item), id)) return;
        w_.agenda.push(priority(item), item.length(), id);
    }

    // What a parent needs of a child: a copy, since pushes move the items.
    struct Child {
        Score inside;
        std::uint32_t id;
        std::uint16_t start, end, category, head;
        std::uint8_t rule, chain;
    };

    Child child(std::uint32_t id) const {
        const Item& item = items_[id];
        return {item.inside, id, item.start, item.end, item.category, item.head, item.rule, item.chain};
    }

    void explore(std::uint32_t id) {
        ++in_.explored;
        if (in_.events) note(EventKind::pop, id);
        const Child node = child(id);
        if (has_grid_) {
            w_.chart.add_bits(node.start, node.end, node.category);
            w_.grid.explore(node.start, node.end, node.category, static_cast<std::uint32_t>(in_.explored));
        } else {
            w_.chart.add(items_[id], id);
        }
        const bool whole = node.end - node.start == words_;
        if (whole && goes_back(node.category)) {
            wait_at_goal(id);
        } else if (whole && table_.is_root(node.category)) {
            accept(id);
            if (w_.complete.size() >= static_cast<std::size_t>(in_.options.nbest) && !kDynamic && !in_.gold) return;
            if (kDynamic && in_.options.nbest == 1) return;
        }
        if (!whole || table_.unary_at_root()) apply_unary(node);
        if (whole) return;
        if (has_grid_) {
            if (node.end < words_) meet<Grid::starting>(node);
            if (node.start > 0) meet<Grid::ending>(node);
        } else {
            if (node.end < words_) join_right(node);
            if (node.start > 0) join_left(node);
        }
    }

    // Whether a complete parse of this category must wait: what its root costs may let another one overtake it. (An n-best
    // list is ranked with the root scores counted, and is final only when nothing on the agenda can come before its last.)
    bool goes_back(int category) const { return scores_roots_ && !records_edges_ && table_.root_score(category) != 0; }

    void wait_at_goal(std::uint32_t id) {
        Item& item = items_[id];
        item.goal = 1;
        w_.waiting.push_back(id);
        w_.agenda.push(score_of(item), words_, id);
        if (in_.gold && in_.gold->is_gold_parse(id)) in_.gold->entered_agenda(id);
    }

    void accept(std::uint32_t id) {
        w_.complete.push_back(id);
        if (in_.gold && w_.complete.size() == 1) margin_ = score_of(items_[id]) - to_grid(6.907755278982137);  // ln(1000)
    }

    void apply_unary(const Child& node) {
        const UnaryEntry* entry = table_.unary_begin(node.category);
        const UnaryEntry* end = table_.unary_end(node.category);
        if (entry == end) return;
        if (table_.max_unary_chain() > 0 && node.chain >= table_.max_unary_chain()) return;
        const std::uint32_t mask = table_.unary_allowed(node.rule) & builders(node.start);
        const std::uint8_t chain = node.chain < 63 ? node.chain + 1 : 63;
        for (; entry != end; ++entry)
            if (mask >> entry->rule & 1)
                push(node.inside - unary_cost_, node.start, node.end, entry->result, entry->rule, node.id, kNoItem, node.head, chain);
    }

    void join_right(const Child& node) {
        const PartnerBits* partners = table_.right_partners(node.category);
        const std::uint64_t* present = w_.chart.starting_at(node.end);
        const std::uint32_t may_build = builders(node.start);
        for_each_hit(partners, present, table_.right_summary(node.category) & w_.chart.starting_summary(node.end),
                     [&](std::uint32_t pair, int category) {
                         std::uint32_t other = w_.chart.first_starting(node.end, category);
                         for (; other != kNoItem; other = items_[other].next_start) join(node, child(other), pair, may_build);
                     });
    }

    void join_left(const Child& node) {
        const PartnerBits* partners = table_.left_partners(node.category);
        const std::uint64_t* present = w_.chart.ending_at(node.start);
        for_each_hit(partners, present, table_.left_summary(node.category) & w_.chart.ending_summary(node.start),
                     [&](std::uint32_t number, int category) {
                         const std::uint32_t pair = table_.pair_of_left(number);
                         std::uint32_t other = w_.chart.first_ending(node.start, category);
                         for (; other != kNoItem; other = items_[other].next_end) {
                             const Child left = child(other);
                             join(left, node, pair, builders(left.start));
                         }
                     });
    }

    // ---- the same with the grid: all partners of one category at once ----

    // Meets the partners on the right (`kSide` = starting: they start where the node ends) or on the left.
    template <Grid::Side kSide>
    void meet(const Child& node) {
        constexpr bool kRight = kSide == Grid::starting;
        const int meeting = kRight ? node.end : node.start, other_end = kRight ? node.start : node.end;
        const int length = node.end - node.start;
        // One class: what is allowed is the same for all partners.
        const std::uint32_t allowed = table_.allowed(node.rule, node.rule) & (kRight ? builders(node.start) : ~std::uint32_t{0});
        const Grid& grid = w_.grid;
        const auto hit = [&](std::uint32_t number, int category) {
            const std::uint32_t pair = kRight ? number : table_.pair_of_left(number);
            const std::uint32_t row = grid.row(kSide, meeting, category);
            for (const BinaryEntry *rule = table_.rules_begin(pair), *end = table_.rules_end(pair); rule != end; ++rule) {
                if (!(allowed >> rule->rule & 1)) continue;
                std::uint64_t present = grid.explored(row);
                if (!kRight && table_.start_only() >> rule->rule & 1) present &= std::uint64_t{1} << (meeting - 1);
                const std::uint32_t results = grid.row(kSide, other_end, rule->result);
                // What is explored had a priority no lower than this item's: nothing that comes of this one beats it.
                std::uint64_t better = present & ~(grid.explored(results) >> length);
                if (!better) continue;
                const Score *partners = grid.scores(row), *scores = grid.scores(results) + length;
                for (std::uint64_t rest = better & grid.held(results) >> length; rest; rest &= rest - 1) {
                    const int at = std::countr_zero(rest);
                    better ^= static_cast<std::uint64_t>(node.inside + partners[at] <= scores[at]) << at;
                }
                for (; better; better &= better - 1) {
                    const int at = std::countr_zero(better);
                    const Grid::Holder partner = grid.holder(kSide, meeting, row, at + 1);
                    w_.better.push_back({node.inside + partners[at], rule, at + 1, partner.item, partner.entered});
                }
            }
            if (!w_.better.empty()) push_better<kRight>(node);
        };
        if (kRight)
            for_each_hit(table_.right_partners(node.category), w_.chart.starting_at(node.end),
                         table_.right_summary(node.category) & w_.chart.starting_summary(node.end), hit);
        else
            for_each_hit(table_.left_partners(node.category), w_.chart.ending_at(node.start),
                         table_.left_summary(node.category) & w_.chart.ending_summary(node.start), hit);
    }

    // Pushes what was found in the order that join_right and join_left go: the newest partner first, then by rule.
    template <bool kRight>
    void push_better(const Child& node) {
        std::vector<Better>& better = w_.better;
        // Few of them: insertion keeps it short, and rules of one partner in their order.
        for (std::size_t i = 1; i < better.size(); ++i)
            for (std::size_t j = i; j > 0 && comes_before(better[j], better[j - 1]); --j) std::swap(better[j], better[j - 1]);
        for (const Better& each : better) push_met<kRight>(node, each.inside, *each.rule, each.length, each.partner);
        better.clear();
    }

    template <bool kRight>
    void push_met(const Child& node, Score inside, const BinaryEntry& rule, int length, std::uint32_t partner) {
        if (kRight)
            put_on_grid(inside, node.start, node.end + length, rule.result, rule.rule, node.id, partner, 0, 0);
        else
            put_on_grid(inside, node.start - length, node.end, rule.result, rule.rule, partner, node.id, 0, 0);
    }

    static bool comes_before(const Better& a, const Better& b) {
        return a.entered != b.entered ? a.entered > b.entered : a.rule < b.rule;
    }

    bool put_on_grid(Score inside, int start, int end, int category, int rule, std::uint32_t left, std::uint32_t right,
                     std::uint16_t head, std::uint8_t chain) {
        const auto id = static_cast<std::uint32_t>(items_.size());
        std::uint32_t before;
        if (!w_.grid.take(start, end, category, inside, id, before)) return false;
        if (before != kNoItem) items_[before].lost = 1;
        items_.push_back({inside, left, right, kNoItem, kNoItem, static_cast<std::uint16_t>(start),
                          static_cast<std::uint16_t>(end), static_cast<std::uint16_t>(category), head,
                          static_cast<std::uint8_t>(rule), chain, 1, 0});
        if (in_.events) note(EventKind::push, id);
        w_.agenda.push(inside + w_.tags.outside(start, end), end - start, id);
        return true;
    }

    // Calls hit(number of the pair, category) for each category that is present and a partner, in order of category.
    template <class Hit>
    [[gnu::always_inline]] void for_each_hit(const PartnerBits* partners, const std::uint64_t* present, std::uint64_t summary,
                                             Hit hit) {
        const int words = table_.words_of_bits();
        for (int block = 0; block < words; block += 64) {
            for (std::uint64_t rest = summary; rest; rest &= rest - 1) {
                const int word = block + std::countr_zero(rest);
                if (word >= words) break;
                const PartnerBits partner = partners[word];
                for (std::uint64_t hits = partner.bits & present[word]; hits; hits &= hits - 1) {
                    const std::uint64_t lowest = hits & (0 - hits);
                    hit(partner.first + count_bits(partner.bits & (lowest - 1)), word * 64 + std::countr_zero(hits));
                }
            }
        }
    }

    void join(const Child& left, const Child& right, std::uint32_t pair, std::uint32_t may_build) {
        const std::uint32_t mask = table_.allowed(left.rule, right.rule) & may_build;
        const Score children = left.inside + right.inside;
        for (const BinaryEntry *rule = table_.rules_begin(pair), *end = table_.rules_end(pair); rule != end; ++rule) {
            if (!(mask >> rule->rule & 1)) continue;
            Score inside = children;
            std::uint16_t head = 0;
            if (distance_cost_ > 0) {
                inside -= distance_cost_ * std::abs(left.head - right.head);
                head = rule->head ? right.head : left.head;
            }
            // Most hyperedges of a factored model end here: looked up before anything is made of them.
            if (kDynamic && !records_edges_) {
                const std::uint64_t label = rule->label | static_cast<std::uint64_t>(head) << 52;
                if (w_.places.holds(span_signature(left.start, right.end) | label, inside)) continue;
            }
            push(inside, left.start, right.end, rule->result, rule->rule, left.id, right.id, head, 0);
        }
    }

    // The rule types that may build a node which starts at `start`.
    std::uint32_t builders(int start) const { return start == 0 ? ~std::uint32_t{0} : ~table_.start_only(); }

    // ---- pushes ----

    bool push_tag(int word, int rank) {
        const Tag& tag = w_.tags.tag(word, rank);
        return push(tag.score, word, word + 1, tag.category, kLexicon, kNoItem, rank, static_cast<std::uint16_t>(word), 0);
    }

    // A word's tags wait for each other: the next is pushed when the one before comes off the agenda, or is dropped.
    void push_first_possible_tag(int word, int rank) {
        while (rank < w_.tags.tags(word) && !push_tag(word, rank)) ++rank;
    }

    // False if the item was dropped (or, for n-best lists, only recorded): it is not on the agenda.
    [[gnu::noinline]] bool push(Score inside, int start, int end, int category, int rule, std::uint32_t left, std::uint32_t right,
              std::uint16_t head, std::uint8_t chain) {
        const auto id = static_cast<std::uint32_t>(items_.size());
        Place* place = nullptr;
        if (has_grid_) return put_on_grid(inside, start, end, category, rule, left, right, head, chain);
        if (kDynamic) {
            place = &place_of(start, end, category, rule, chain, head);
            if (place->best >= inside && place->holder != kNoItem && !records_edges_) return false;
        }
        items_.push_back({inside, left, right, kNoItem, kNoItem, static_cast<std::uint16_t>(start),
                          static_cast<std::uint16_t>(end), static_cast<std::uint16_t>(category), head,
                          static_cast<std::uint8_t>(rule), chain, static_cast<std::uint8_t>(!kScored), 0});
        if (kScored) {
            const bool gold = in_.gold && in_.gold->is_gold(items_.back(), id);
            if (gold || !in_.options.lazy) {
                items_.back().inside += w_.scorer.score(items_, id);
                items_.back().scored = 1;
            }
            if (gold) in_.gold->entered_agenda(id);
        }
        if (kDynamic && items_.back().scored && !take_place(*place, id)) {
            if (!records_edges_) items_.pop_back();
            return false;
        }
        const Item& item = items_.back();
        if (in_.events) note(EventKind::push, id);
        w_.agenda.push(priority(item), end - start, id);
        return true;
    }

    // ---- dynamic programming ----

    Place& place_of(int start, int end, int category, int rule, int chain, int head) {
        return w_.places.find(span_signature(start, end) |
                              label(category, table_.rule_class(rule), table_.chain_length_matters() ? chain : 0,
                                                distance_cost_ > 0 ? head : 0));
    }
    Place& place_of(const Item& item) {
        return place_of(item.start, item.end, item.category, item.rule, item.chain, item.head);
    }

    static bool is_dominated(const Place& place, Score inside, std::uint32_t id) {
        return place.holder != kNoItem && (place.best > inside || (place.best == inside && place.holder < id));
    }

    bool take_place(Place& place, std::uint32_t id) {
        Item& item = items_[id];
        if (records_edges_) {
            if (w_.edge_before.size() <= id) w_.edge_before.resize(std::max<std::size_t>(id + 1, items_.capacity()));
            w_.edge_before[id] = place.edges;
            place.edges = id;
        }
        if (is_dominated(place, item.inside, id)) {
            item.lost = 1;
            return false;
        }
        if (place.holder != kNoItem) items_[place.holder].lost = 1;
        place.holder = id;
        place.best = item.inside;
        return true;
    }

    // ---- learning and looking ----

    // Notes a violation if the popped item beats every gold item that was on the agenda with it (with `ties`: if it is
    // not gold, for then it is no worse than any). True: the gold parse.
    bool meets_gold(std::uint32_t id) {
        GoldGuide& gold = *in_.gold;
        std::uint32_t best = kNoItem;
        for (const std::uint32_t other : gold.on_agenda()) {
            if (best == kNoItem) {
                best = other;
                continue;
            }
            const Item &a = items_[other], &b = items_[best];
            const Score pa = gold_priority(a), pb = gold_priority(b);
            if (pa != pb ? pa > pb : a.length() != b.length() ? a.length() > b.length() : other < best) best = other;
        }
        const Item& item = items_[id];
        const Score value = gold_priority(item) - gold_priority(items_[best]);
        // The gold derivation may have a node over the whole sentence that is not its root: as a parse that one is wrong.
        const bool is_gold = item.goal ? gold.is_gold_parse(id) : gold.is_gold_item(id);
        if (value > 0 || (in_.options.ties && !is_gold)) gold.violations.push_back({value, id, best});
        if (!is_gold) return false;
        gold.left_agenda(id);
        if (!gold.is_gold_parse(id) || (!item.goal && goes_back(item.category))) return false;
        if (!item.goal) ++in_.explored;
        return true;
    }

    Score gold_priority(const Item& item) const { return score_of(item) + w_.tags.outside(item.start, item.end); }

    void note(EventKind kind, std::uint32_t id) {
        const Item& item = items_[id];
        Score local, global;
        own_scores(id, local, global);
        const Score root = score_of(item) - item.inside;
        in_.events->push_back({kind, id, item.rule, item.category, item.start, item.end,
                               item.is_leaf() ? -1 : static_cast<std::int32_t>(item.left),
                               item.is_leaf() || item.is_unary() ? -1 : static_cast<std::int32_t>(item.right), item.inside + root,
                               w_.tags.outside(item.start, item.end), local + root, global});
    }

    void own_scores(std::uint32_t id, Score& local, Score& global) const;

    LoopInput& in_;
    const RuleTable& table_;
    Workspace& w_;
    std::vector<Item>& items_;
    const int words_;
    const Score unary_cost_, distance_cost_;
    const bool records_edges_, scores_roots_;
    bool has_grid_ = false;
    Score margin_ = kNone;
    int until_clock_ = 64;
};

// Splits what an item adds to its children's inside scores into its local and its global share.
inline void split_score(const Workspace& w, const Options& options, const Item& item, Score& local, Score& global) {
    Score children = 0;
    if (item.is_leaf()) {
        local = w.tags.tag(item.start, static_cast<int>(item.right)).score;
    } else if (item.is_unary()) {
        local = -options.unary_cost;
        children = w.items[item.left].inside;
    } else {
        const Item &left = w.items[item.left], &right = w.items[item.right];
        local = -options.distance_cost * std::abs(left.head - right.head);
        children = left.inside + right.inside;
    }
    global = item.inside - children - local;
}

template <bool kDynamic, bool kScored>
void Loop<kDynamic, kScored>::own_scores(std::uint32_t id, Score& local, Score& global) const {
    split_score(w_, in_.options, items_[id], local, global);
}

}  // namespace starccg
