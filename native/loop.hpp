// The agenda loop. Two policies are template parameters: dynamic programming or the forest of all subtrees, with or
// without a global model. The others (heuristic, lazy or eager, n-best, gold-guided, recorded) are values it reads.
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
        if (bound != kNone && in_.bound && in_.bound->is_refined()) bound = std::max(bound, in_.bound->floor());
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

    // ---- the bound changes while the loop runs ----

    // Called before anything at or below the floor is popped: a lower floor, and new priorities for the whole agenda.
    // Where the deadline comes first, the items keep the priorities that they had and the tags still wait: upper_bound()
    // counts both.
    [[gnu::noinline]] Stop lower_floor() {
        if (!in_.bound->lower_floor(in_.deadline)) return in_.deadline.check();
        change_priorities();
        if (tags_wait_for_floor_) push_tags_down_to_floor();
        return Stop::none;
    }

    // Called when the forest has grown by half. A search that ends early never comes here.
    [[gnu::noinline]] Stop refine_bound() {
        next_refinement_ = in_.explored + in_.explored / 2 + 1;
        const Score head = std::max(w_.agenda.head_priority(), in_.bound->floor());
        if (!in_.bound->refine(head, w_.chart, items_, in_.deadline)) return in_.deadline.check();
        change_priorities();
        return Stop::none;
    }

    void change_priorities() {
        w_.agenda.change([&](std::uint32_t id) {
            const Item& item = items_[id];
            if (item.goal) return score_of(item);
            const NodeBound bound = bound_of(item);
            return bound.outside == kNone ? kNone : bound.priority(item.inside);
        });
    }

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

    // ---- combining a popped node with its neighbours ----

    void apply_unary(const Child& node) {
        for_each_unary(table_, node, unary_cost_, [&](const Item& made) { push(made); });
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
                const PartnerBits& partner = partners[word];
                for (std::uint64_t hits = partner.bits & present[word]; hits; hits &= hits - 1) {
                    const std::uint64_t lowest = hits & (0 - hits);
                    hit(partner.number_of(lowest), word * 64 + std::countr_zero(hits));
                }
            }
        }
    }

    void combine_right(const Child& node, std::uint64_t summary) {
        for_each_hit(table_.right_partners(node.category), w_.chart.starting_at(node.end), summary,
                     [&](std::uint32_t pair, int category) {
                         std::uint32_t other = w_.chart.first_starting(node.end, category);
                         for (; other != kNoItem; other = items_[other].next_start) combine(node, child(other), pair);
                     });
    }

    void combine_left(const Child& node, std::uint64_t summary) {
        for_each_hit(table_.left_partners(node.category), w_.chart.ending_at(node.start), summary,
                     [&](std::uint32_t number, int category) {
                         const std::uint32_t pair = table_.pair_of_left(number);
                         std::uint32_t other = w_.chart.first_ending(node.start, category);
                         for (; other != kNoItem; other = items_[other].next_end) combine(child(other), node, pair);
                     });
    }

    void combine(const Child& left, const Child& right, std::uint32_t pair) {
        for_each_binary(table_, left, right, pair, distance_cost_, [&](const Item& made, const BinaryEntry& rule) {
            // Most hyperedges of a factored model are dropped here, before an item is kept.
            if (kDynamic && !records_edges_) {
                const std::uint64_t label = rule.label | static_cast<std::uint64_t>(distance_cost_ > 0 ? made.head : 0) << 52;
                if (w_.places.holds(span_signature(made.start, made.end) | label, made.inside)) return;
            }
            push(made);
        });
    }

    // ---- pushing the tags of the words ----

    void push_leaves() {
        // A tag whose best parse lies below the floor is not popped before the floor is lowered. In a lazy search such a tag
        // only gets its number now, and is pushed when the floor is lowered.
        tags_wait_for_floor_ = !kDynamic && kScored && in_.options.lazy && in_.bound && in_.bound->floor() != kNone;
        if (tags_wait_for_floor_) {
            std::uint32_t all = 0;
            w_.waiting_tags.clear();
            for (int word = 0; word < words_; ++word) {
                w_.waiting_tags.push_back({all, 0});
                all += static_cast<std::uint32_t>(w_.tags.tags(word));
            }
            items_.resize(all);
            push_tags_down_to_floor();
            return;
        }
        for (int word = 0; word < words_; ++word) {
            if (kScored || in_.bound) {
                for (int rank = 0; rank < w_.tags.tags(word); ++rank) push_tag(word, rank);
            } else {
                push_first_possible_tag(word, 0);
            }
        }
    }

    void push_tags_down_to_floor() {
        for (int word = 0; word < words_; ++word) {
            WaitingTags& waiting = w_.waiting_tags[word];
            const Score least = in_.bound->floor() == kNone ? kNone : in_.bound->floor() - w_.tags.outside(word, word + 1);
            for (; waiting.next < w_.tags.tags(word); ++waiting.next) {
                const Tag tag = w_.tags.tag(word, waiting.next);
                if (tag.score < least) break;
                const NodeBound bound = bound_of(word, word + 1, tag.category);
                if (bound.outside == kNone) continue;
                const std::uint32_t id = waiting.first + static_cast<std::uint32_t>(waiting.next);
                items_[id] = leaf_item(word, waiting.next, tag);
                w_.agenda.push(bound.priority(tag.score), 1, id);
            }
        }
    }

    bool push_tag(int word, int rank) { return push(leaf_item(word, rank, w_.tags.tag(word, rank))); }

    // A word's next tag is pushed when the one before it is popped or dropped.
    void push_first_possible_tag(int word, int rank) {
        while (rank < w_.tags.tags(word) && !push_tag(word, rank)) ++rank;
    }

    // ---- pushes ----

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

    // ---- violations and events ----

    Score gold_priority(const Item& item) const { return score_of(item) + (item.goal ? 0 : outside(item)); }

    // Records a violation if the popped item is better than every gold item that was on the agenda with it; with `ties`,
    // if it is not gold, since then it is no worse than any of them. True: the popped item is the gold parse.
    bool meets_gold(std::uint32_t id) {
        GoldGuide& gold = *in_.gold;
        const auto comes_first = [&](std::uint32_t one, std::uint32_t other) {
            const Item &a = items_[one], &b = items_[other];
            const Score pa = gold_priority(a), pb = gold_priority(b);
            return pa != pb ? pa > pb : a.length() != b.length() ? a.length() > b.length() : one < other;
        };
        const std::uint32_t best = *std::min_element(gold.on_agenda().begin(), gold.on_agenda().end(), comes_first);
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

    void record(EventKind kind, std::uint32_t id) {
        const Item& item = items_[id];
        const SplitScore split = split_score(w_, in_.options, item);
        const Score root = score_of(item) - item.inside;
        in_.events->push_back({.kind = kind, .item = id, .rule = item.rule, .category = item.category, .start = item.start,
                               .end = item.end, .left = item.is_leaf() ? -1 : static_cast<std::int32_t>(item.left),
                               .right = item.is_binary() ? static_cast<std::int32_t>(item.right) : -1,
                               .inside = item.inside + root, .outside = item.goal ? 0 : outside(item),
                               .local = split.local + root, .global = split.global});
    }

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
