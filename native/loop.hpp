// The one agenda loop. Its policies: dynamic programming or the forest of all subtrees, with or without a global
// model; the rest (heuristic, lazy or eager, n-best, gold-guided, recorded) are values it reads.
//
// Here are pops and pushes. How it begins is in leaves.hpp; how a node meets its neighbours in joins.hpp (and in
// meetings.hpp, where there is a grid); what learning and recording look at in watching.hpp.
#pragma once
#include <algorithm>

#include "derivation.hpp"
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
    OutsideBound* bound = nullptr;  // none: the best tags
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
                        distance_cost_ == 0 && !input.bound && Grid::fits(words_, table_.categories());
        if (has_grid_) {
            w_.grid.reset(words_, table_.categories());
        } else if (kDynamic) {
            w_.places.reset(std::min<std::size_t>(static_cast<std::size_t>(words_) * words_ * 3 / 4, 1 << 16));
        }
        items_.clear();
        w_.edge_before.clear();
        w_.complete.clear();
        w_.waiting.clear();
        push_leaves();
    }

    // Pops until `target` complete parses have been found, or the head's priority is `floor` or less, or `pops` nodes
    // have been explored in this call. Stop::none: one of these came true.
    Stop run(std::size_t target, Score floor, std::int64_t pops) {
        const std::int64_t enough = pops < 0 ? -1 : in_.explored + pops;
        const std::int64_t most_explored = in_.limits.forest, most_items = in_.limits.agenda;
        while (w_.complete.size() < target) {
            if (w_.agenda.empty() && !(tags_wait_for_floor_ && in_.bound->floor() != kNone)) return Stop::exhausted;
            if (in_.bound && (w_.agenda.empty() || w_.agenda.head_priority() <= in_.bound->floor())) {
                if (const Stop stop = lower_floor(); stop != Stop::none) return stop;
                continue;
            }
            if (in_.explored == enough || (floor != kNone && w_.agenda.head_priority() <= floor)) return Stop::none;
            if (in_.explored >= most_explored) return Stop::forest;
            if (static_cast<std::int64_t>(items_.size()) >= most_items) return Stop::agenda;
            if (kScored && w_.scorer.units() >= in_.limits.recursive_units) return Stop::recursive_units;
            if (--until_clock_ <= 0) {
                if (const Stop stop = look_at_clock(); stop != Stop::none) return stop;
            }
            if (kScored && in_.gold) {
                if (in_.gold->on_agenda().empty()) return Stop::lost;
                if (w_.agenda.head_priority() < margin_) return Stop::margin;
            }
            const std::uint32_t id = w_.agenda.pop();
            if (kScored && !items_[id].scored) {
                rescore(id);
                continue;
            }
            if (scores_roots_ && items_[id].goal) {
                if (kScored && in_.gold && meets_gold(id)) return Stop::gold;
                if (in_.events) note(EventKind::goal, id);
                accept(id);
                continue;
            }
            if (!kScored && !in_.bound && items_[id].is_leaf()) push_first_possible_tag(items_[id].start, items_[id].right + 1);
            if (kDynamic && items_[id].lost) continue;
            if (kScored && in_.gold && meets_gold(id)) return Stop::gold;
            explore(id);
        }
        return Stop::none;
    }

private:
    // The heuristic h; kNone: no parse has such a node.
    Score outside(int start, int end, int category) const {
        return in_.bound ? in_.bound->outside(start, end, category) : w_.tags.outside(start, end);
    }
    Score outside(const Item& item) const { return outside(item.start, item.end, item.category); }
    Score priority(const Item& item) const { return item.inside + outside(item); }
    // Of a complete parse that waits for its turn, the root score counts.
    Score score_of(const Item& item) const { return item.inside + (item.goal ? table_.root_score(item.category) : 0); }

    [[gnu::noinline]] Stop look_at_clock() {
        until_clock_ = 256;
        return must_stop(in_.interrupt, in_.limits.seconds, in_.begin);
    }

    [[gnu::noinline]] Stop lower_floor();  // leaves.hpp

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
            items_[id].next_start = static_cast<std::uint32_t>(in_.explored);
            w_.grid.explore(node.start, node.end, node.category, w_.chart);
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
        const std::uint64_t on_right = table_.right_summary(node.category) & w_.chart.starting_summary(node.end);
        const std::uint64_t on_left = table_.left_summary(node.category) & w_.chart.ending_summary(node.start);
        if (has_grid_) {
            if (on_right) meet<Grid::starting>(node, on_right);
            if (on_left) meet<Grid::ending>(node, on_left);
        } else {
            if (on_right) join_right(node, on_right);
            if (on_left) join_left(node, on_left);
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

    // ---- neighbours: joins.hpp and meetings.hpp ----

    // The rule types that may build a node which starts at `start`.
    std::uint32_t builders(int start) const { return start == 0 ? ~std::uint32_t{0} : ~table_.start_only(); }

    void apply_unary(const Child& node);
    void join_right(const Child& node, std::uint64_t summary);
    void join_left(const Child& node, std::uint64_t summary);
    void join(const Child& left, const Child& right, std::uint32_t pair, std::uint32_t may_build);
    template <Grid::Side kSide>
    void meet(const Child& node, std::uint64_t summary);
    template <bool kRight>
    void push_better(const Child& node);
    template <class Hit>
    void for_each_hit(const PartnerBits* partners, const std::uint64_t* present, std::uint64_t summary, Hit hit);

    // ---- pushes ----

    void push_leaves();  // leaves.hpp
    bool push_tag(int word, int rank);
    void push_first_possible_tag(int word, int rank);
    void push_tags_down_to_floor();

    // False if the item was dropped (or, for n-best lists, only recorded): it is not on the agenda.
    [[gnu::noinline]] bool push(Score inside, int start, int end, int category, int rule, std::uint32_t left, std::uint32_t right,
              std::uint16_t head, std::uint8_t chain) {
        if (has_grid_) return put_on_grid(inside, start, end, category, rule, left, right, head, chain);
        const Score outside = this->outside(start, end, category);
        if (outside == kNone) return false;
        const auto id = static_cast<std::uint32_t>(items_.size());
        Place* place = nullptr;
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
        w_.agenda.push(item.inside + outside, end - start, id);
        return true;
    }

    // meetings.hpp
    bool put_on_grid(Score inside, int start, int end, int category, int rule, std::uint32_t left, std::uint32_t right,
                     std::uint16_t head, std::uint8_t chain);

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

    // ---- learning and looking: watching.hpp ----

    bool meets_gold(std::uint32_t id);
    Score gold_priority(const Item& item) const { return score_of(item) + (item.goal ? 0 : outside(item)); }
    void note(EventKind kind, std::uint32_t id);

    LoopInput& in_;
    const RuleTable& table_;
    Workspace& w_;
    Arena<Item>& items_;
    const int words_;
    const Score unary_cost_, distance_cost_;
    const bool records_edges_, scores_roots_;
    bool has_grid_ = false;
    bool tags_wait_for_floor_ = false;
    Score margin_ = kNone;
    int until_clock_ = 64;
};

}  // namespace starccg

#include "joins.hpp"
#include "leaves.hpp"
#include "meetings.hpp"
#include "watching.hpp"
