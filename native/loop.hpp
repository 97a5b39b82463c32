// The agenda loop. Two policies are template parameters: dynamic programming or the forest of all subtrees, with or
// without a global model. The others (heuristic, lazy or eager, n-best, gold-guided, recorded) are values it reads.
//
// This file has pops and pushes. loop_tags.hpp pushes the tags of the words, loop_bound.hpp changes the bound while the loop
// runs, loop_combine.hpp combines a popped node with its neighbours, loop_recording.hpp records violations and events.
#pragma once
#include <algorithm>

#include "derivation.hpp"
#include "gold.hpp"
#include "search.hpp"

namespace starccg {

template <bool kDynamic, bool kScored>
class Loop {
public:
    explicit Loop(LoopInput& input)
        : in_(input), table_(input.table), w_(input.w), items_(input.w.items), words_(input.w.tags.words()),
          unary_cost_(input.options.unary_cost), distance_cost_(input.options.distance_cost),
          records_edges_(kDynamic && input.options.nbest > 1), scores_roots_(input.table.scores_roots()),
          check_deadline_(input.deadline, 64, 256) {
        w_.agenda.reset(words_, input.options.heuristic ? w_.tags.best() : 0);
        w_.chart.reset(words_, table_.categories(), table_.words_of_bits());
        if (kDynamic) w_.places.reset(std::min<std::size_t>(static_cast<std::size_t>(words_) * words_ * 3 / 4, 1 << 16));
        items_.clear();
        w_.edge_before.clear();
        w_.complete.clear();
        w_.waiting.clear();
        if (!kDynamic && kScored && in_.bound && !in_.events)
            next_refinement_ = in_.options.refine_after.value_or(kNever);
        push_leaves();
    }

    // Pops until `target` complete parses have been found, or the head's priority is `least` or lower, or `pops` nodes
    // have been explored in this call. Stop::none: one of these is true.
    Stop run(std::size_t target, Score least, std::int64_t pops) {
        const std::int64_t enough = pops < 0 ? -1 : in_.explored + pops;
        const std::int64_t most_explored = in_.limits.forest;
        const std::int64_t most_items = std::min(in_.limits.agenda, kMostItems);
        while (w_.complete.size() < target) {
            if (w_.agenda.empty() && !(tags_wait_for_floor_ && in_.bound->floor() != kNone)) return Stop::exhausted;
            if (in_.bound && (w_.agenda.empty() || w_.agenda.head_priority() <= in_.bound->floor())) {
                if (const Stop stop = lower_floor(); stop != Stop::none) return stop;
                continue;
            }
            if (in_.explored == enough || (least != kNone && w_.agenda.head_priority() <= least)) return Stop::none;
            if (in_.explored >= next_refinement_) {
                if (const Stop stop = refine_bound(); stop != Stop::none) return stop;
                continue;
            }
            if (in_.explored >= most_explored) return Stop::forest;
            if (static_cast<std::int64_t>(items_.size()) >= most_items) return Stop::agenda;
            if (kScored && w_.scorer.units() >= in_.limits.recursive_units) return Stop::recursive_units;
            if (const Stop stop = check_deadline_(); stop != Stop::none) return stop;
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
                if (in_.events) record(EventKind::goal, id);
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

    // For a search that a limit stopped: the closest bound that can be had of what it explored.
    void refine_at_end() {
        if (next_refinement_ != kNever && !w_.agenda.empty()) refine_bound();
    }

    // No parse but those accepted scores more than this, wherever the search stopped (docs/search.md has the proof).
    // kNone: there is no other parse.
    Score upper_bound() {
        Score bound = w_.agenda.empty() ? kNone : w_.agenda.head_priority();
        if (bound != kNone && in_.bound && in_.bound->is_tightened()) bound = std::max(bound, in_.bound->floor());
        if (!tags_wait_for_floor_) return bound;
        for (int word = 0; word < words_; ++word)  // of the tags that wait, the next one of each word is the best
            if (const int next = w_.waiting_tags[word].next; next < w_.tags.tags(word))
                bound = std::max(bound, w_.tags.tag(word, next).score + w_.tags.outside(word, word + 1));
        return bound;
    }

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    // The heuristic h; kNone: no parse has such a node.
    NodeBound bound_of(int start, int end, int category) const {
        if (in_.bound) return in_.bound->of(start, end, category);
        return {std::numeric_limits<Score>::max(), w_.tags.outside(start, end)};
    }
    NodeBound bound_of(const Item& item) const { return bound_of(item.start, item.end, item.category); }
    Score outside(const Item& item) const { return bound_of(item).outside; }
    Score priority(const Item& item) const { return bound_of(item).priority(item.inside); }
    // For a complete parse that went back on the agenda, the root score counts.
    Score score_of(const Item& item) const { return item.inside + (item.goal ? table_.root_score(item.category) : 0); }

    [[gnu::noinline]] Stop lower_floor();  // loop_bound.hpp
    [[gnu::noinline]] Stop refine_bound();
    void change_priorities();

    // ---- pops ----

    void rescore(std::uint32_t id) {
        Item& item = items_[id];
        if (kDynamic && !records_edges_ && is_dominated(place_of(item), item.inside, id)) return;
        const Score global = w_.scorer.score(items_, id);
        item.inside += global;
        item.scored = 1;
        if (in_.events) record(EventKind::rescored, id);
        if (kDynamic && !take_place(place_of(item), id)) return;
        w_.agenda.push(priority(item), item.length(), id);
    }

    Child child(std::uint32_t id) const { return {items_[id], id}; }

    void explore(std::uint32_t id) {
        ++in_.explored;
        if (in_.events) record(EventKind::pop, id);
        const Child node = child(id);
        w_.chart.add(items_[id], id);
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
        if (on_right) combine_right(node, on_right);
        if (on_left) combine_left(node, on_left);
    }

    // Whether a complete parse of this category goes back on the agenda, since its root costs something and another parse may
    // be better. (N-best lists of the chart include the root scores, and are final only when nothing on the agenda is better.)
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

    // ---- combining a popped node: loop_combine.hpp ----

    void apply_unary(const Child& node);
    void combine_right(const Child& node, std::uint64_t summary);
    void combine_left(const Child& node, std::uint64_t summary);
    void combine(const Child& left, const Child& right, std::uint32_t pair, std::uint32_t may_build);
    template <class Hit>
    void for_each_hit(const PartnerBits* partners, const std::uint64_t* present, std::uint64_t summary, Hit hit);

    // ---- pushes ----

    void push_leaves();  // loop_tags.hpp
    bool push_tag(int word, int rank);
    void push_first_possible_tag(int word, int rank);
    void push_tags_down_to_floor();

    // False if the item was dropped (or, for n-best lists, only recorded): it is not on the agenda.
    [[gnu::noinline]] bool push(const Item& made) {
        const NodeBound bound = bound_of(made);
        if (bound.outside == kNone) return false;
        const auto id = static_cast<std::uint32_t>(items_.size());
        Place* place = nullptr;
        if (kDynamic) {
            place = &place_of(made);
            if (place->best >= made.inside && place->holder != kNoItem && !records_edges_) return false;
        }
        items_.push_back(made);
        Item& item = items_.back();
        item.scored = !kScored;
        if (kScored) {
            const bool gold = in_.gold && in_.gold->is_gold(item, id);
            if (gold || !in_.options.lazy) {
                item.inside += w_.scorer.score(items_, id);
                item.scored = 1;
            }
            if (gold) in_.gold->entered_agenda(id);
        }
        if (kDynamic && item.scored && !take_place(*place, id)) {
            if (!records_edges_) items_.pop_back();
            return false;
        }
        if (in_.events) record(EventKind::push, id);
        w_.agenda.push(bound.priority(item.inside), item.length(), id);
        return true;
    }

    // ---- dynamic programming ----

    Place& place_of(const Item& item) { return w_.places.find(signature(item, table_, distance_cost_)); }

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

    // ---- violations and events: loop_recording.hpp ----

    bool meets_gold(std::uint32_t id);
    Score gold_priority(const Item& item) const { return score_of(item) + (item.goal ? 0 : outside(item)); }
    void record(EventKind kind, std::uint32_t id);

    LoopInput& in_;
    const RuleTable& table_;
    Workspace& w_;
    Arena<Item>& items_;
    const int words_;
    const Score unary_cost_, distance_cost_;
    const bool records_edges_, scores_roots_;
    bool tags_wait_for_floor_ = false;
    Score margin_ = kNone;
    PeriodicCheck check_deadline_;
    std::int64_t next_refinement_ = kNever;
};

}  // namespace starccg

#include "loop_bound.hpp"
#include "loop_combine.hpp"
#include "loop_recording.hpp"
#include "loop_tags.hpp"
