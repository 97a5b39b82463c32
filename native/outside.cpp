#include "outside.hpp"

#include <bit>
#include <limits>

namespace starccg {
namespace {

template <class Each>
void for_each_bit(std::uint64_t bits, Each each) {
    for (; bits; bits &= bits - 1) each(std::countr_zero(bits));
}

}  // namespace

void OutsideBound::reset(const RuleTable& table, const TaggedWords& tags, Score unary_cost, bool whole) {
    table_ = &table, tags_ = &tags;
    unary_cost_ = unary_cost, depth_ = 0, whole_ = whole, is_refined_ = false;
    words_ = tags.words(), blocks_ = table.words_of_bits();
    first_place_.resize(words_);
    std::size_t before = 0;  // spans that start earlier
    for (int start = 0; start < words_; ++start) {
        first_place_[start] = before - static_cast<std::size_t>(start) - 1;  // less the first end; it may wrap around
        before += static_cast<std::size_t>(words_ - start);
    }
    if (are_changed_) change_charts();  // a sentence finds the memory that the same one would have left
    for (SpanChart* chart : {&chart_, &before_}) chart->spans.resize(before), chart->inside.clear();
    there_.assign(blocks_, 0);
    best_.resize(table.categories());
    cap_.resize(table.categories());
}

template <class Each>
void OutsideBound::for_each_block(std::uint64_t rows, Each each) const {
    for_each_bit(rows, [&](int first) {
        for (int block = first; block < blocks_; block += 64) each(block);
    });
}

template <class Join>
void OutsideBound::for_each_join(int start, int middle, int end, Score least, Join join) const {
    const Span &lefts = chart_.spans[place(start, middle)], &rights = chart_.spans[place(middle, end)];
    if (!lefts.rows || !rights.rows || lefts.best + rights.best < least) return;
    const Row* rows = &chart_.rows[rights.first_row];
    for (std::uint32_t left = lefts.first; left < lefts.last; ++left) {
        const Score needed = least == kNone ? kNone : least - chart_.inside[left];
        if (rights.best < needed) continue;
        const PartnerBits* partners = table_->right_partners(chart_.categories[left]);
        for_each_block(table_->right_summary(chart_.categories[left]) & rights.rows, [&](int block) {
            const PartnerBits& partner = partners[block];
            for (std::uint64_t hits = partner.bits & rows[block].bits; hits; hits &= hits - 1) {
                const std::uint64_t lowest = hits & (0 - hits);
                const std::uint32_t right = rows[block].first + rank(rows[block], lowest);
                if (chart_.inside[right] < needed) continue;
                const std::uint32_t pair = partner.number_of(lowest);
                for (const BinaryEntry& rule : table_->rules(pair))
                    if (may_build(rule.rule, start)) join(left, right, rule.result);
            }
        });
    }
}

bool OutsideBound::lower_floor(Deadline& deadline) {
    PeriodicCheck check(deadline, 64, 64);
    const Score depth = depth_;
    std::size_t filled = is_refined_ ? base_.inside.size() : chart_.inside.size();
    if (is_refined_) change_charts();
    for (;; filled = chart_.inside.size()) {
        const bool is_dense = depth_ > 0 && filled > kDense * static_cast<std::size_t>(words_) * (words_ + 1) / 2;
        depth_ = depth_ == 0 ? kFirstDepth : depth_ + depth_ / (is_refined_ ? kSmallStep : 2);
        chart_.floor = depth_ < kLastDepth && !is_dense && !whole_ ? tags_->best() - depth_ : kNone;
        if (!fill_inside(check)) break;
        if (chart_.floor != kNone && !is_reached()) continue;
        if (!fill_outside(check)) break;
        if (is_refined_) base_.copy(chart_);
        return is_filled_ = true;
    }
    if (is_refined_) change_charts();
    depth_ = depth;
    is_filled_ = is_refined_;
    return false;
}

bool OutsideBound::refine(Score head, const Chart& explored, const Arena<Item>& items, Deadline& deadline) {
    explored_.assign(chart_.inside.size(), kNone);
    explored.for_each_start([&](std::uint32_t id) {
        const Item& first = items[id];
        for (; id != kNoItem; id = items[id].next_start)
            if (const std::uint32_t at = chart_.find(place(first.start, items[id].end), first.category); at != kNowhere)
                explored_[at] = std::max(explored_[at], items[id].inside);
    });
    for (std::size_t i = 0; i < explored_.size(); ++i) {
        if (chart_.outside[i] == kNone) continue;
        chart_.inside[i] = std::min(chart_.inside[i], std::max(explored_[i], head - chart_.outside[i]));
    }
    keep_refined();
    change_charts();
    chart_.floor = before_.floor;
    PeriodicCheck check(deadline, 64, 64);
    if (fill_inside(check) && fill_outside(check)) return true;
    change_charts();
    return false;
}

bool OutsideBound::fill_inside(PeriodicCheck& check) {
    chart_.rows.clear();
    chart_.inside.clear();
    chart_.categories.clear();
    edges_.clear();
    for (int length = 1; length <= words_; ++length)
        for (int start = 0; start + length <= words_; ++start) {
            if (check() != Stop::none) return false;
            fill_inside(start, start + length);
        }
    return true;
}

bool OutsideBound::fill_outside(PeriodicCheck& check) {
    chart_.outside.assign(chart_.inside.size(), kNone);
    const Span& whole = chart_.spans[place(0, words_)];
    for (std::uint32_t i = whole.first; i < whole.last; ++i)
        if (table_->is_root(chart_.categories[i])) chart_.outside[i] = table_->root_score(chart_.categories[i]);
    for (int length = words_; length >= 1; --length)
        for (int start = 0; start + length <= words_; ++start) {
            if (check() != Stop::none) return false;
            fill_outside(start, start + length);
        }
    if (chart_.floor != kNone)
        for (std::size_t i = 0; i < chart_.outside.size(); ++i)
            chart_.outside[i] = std::max(chart_.outside[i], chart_.floor - chart_.inside[i]);
    return true;
}

void OutsideBound::SpanChart::copy(const SpanChart& other) {
    const auto copy = [](auto& to, const auto& from) {
        to.resize(from.size());
        std::copy(from.begin(), from.end(), to.begin());
    };
    floor = other.floor;
    copy(spans, other.spans), copy(rows, other.rows), copy(categories, other.categories);
    copy(inside, other.inside), copy(outside, other.outside);
}

// Of a node that is in no parse above the floor, an inside score may hold only for parses above the floor: the ways to build it
// from what the chart leaves out are not in it. A lower floor needs bounds that hold for all, so the base keeps its own.
void OutsideBound::keep_refined() {
    if (!is_refined_) {
        base_.copy(chart_);
    } else {
        for (std::size_t place = 0; place < chart_.spans.size(); ++place)
            for (std::uint32_t i = chart_.spans[place].first; i < chart_.spans[place].last; ++i)
                if (is_above_floor(chart_, i)) base_.inside[base_.find(place, chart_.categories[i])] = chart_.inside[i];
    }
    is_refined_ = true;
}

// What is known of the inside scores over a span. Above the same floor a node that the chart before left out, or that is in no
// parse above the floor, is left out. Above a lower one, a node that was left out could not reach the floor with the best tags.
void OutsideBound::set_caps(int start, int end) {
    const bool is_same = chart_.floor == before_.floor;
    const SpanChart& known = is_same ? before_ : base_;
    std::fill(cap_.begin(), cap_.end(), is_same ? kNone : base_.floor - tags_->outside(start, end));
    const Span& span = known.spans[place(start, end)];
    for (std::uint32_t i = span.first; i < span.last; ++i) {
        if (!is_same || is_above_floor(known, i)) cap_[known.categories[i]] = known.inside[i];
    }
}

void OutsideBound::fill_inside(int start, int end) {
    const Score least = chart_.floor == kNone ? kNone : chart_.floor - tags_->outside(start, end);
    Span& span = chart_.spans[place(start, end)];
    const auto first = static_cast<std::uint32_t>(chart_.inside.size()), first_edge = static_cast<std::uint32_t>(edges_.size());
    span = {.rows = 0, .best = kNone, .first_row = static_cast<std::uint32_t>(chart_.rows.size()), .first = first,
            .last = first, .first_edge = first_edge, .last_edge = first_edge, .holds_edges = true};
    if (is_refined_) set_caps(start, end);
    const auto offer = [&](int category, Score score) {
        if (is_refined_ && ((score = std::min(score, cap_[category])) < least || score == kNone)) return false;
        std::uint64_t& word = there_[category / 64];
        const std::uint64_t bit = std::uint64_t{1} << (category % 64);
        if (word & bit && best_[category] >= score) return false;
        word |= bit;
        best_[category] = score;
        span.rows |= std::uint64_t{1} << (category / 64 % 64);
        return true;
    };
    if (end == start + 1)
        for (int i = 0; i < tags_->tags(start) && tags_->tag(start, i).score >= least; ++i)
            offer(tags_->tag(start, i).category, tags_->tag(start, i).score);
    for (int middle = start + 1; middle < end; ++middle)
        for_each_join(start, middle, end, least, [&](std::uint32_t left, std::uint32_t right, int result) {
            if (is_refined_ && cap_[result] == kNone) return;
            offer(result, chart_.inside[left] + chart_.inside[right]);
            span.holds_edges &= edges_.size() < kMostEdges;
            if (span.holds_edges) edges_.push_back({left, right, static_cast<std::uint16_t>(result)});
        });
    span.last_edge = static_cast<std::uint32_t>(edges_.size());
    if (!span.rows) return;
    // Unary rules cost something or nothing: this ends when no chain makes anything better.
    for (bool better = may_change(start, end); better;) {
        better = false;
        for_each_block(span.rows, [&](int block) {
            for_each_bit(there_[block] & table_->unary_bits(block), [&](int bit) {
                const int category = block * 64 + bit;
                const Score score = best_[category] - unary_cost_;
                if (score < least) return;
                for (const UnaryEntry& rule : table_->unary_rules(category))
                    if (may_build(rule.rule, start)) better |= offer(rule.result, score);
            });
        });
    }
    chart_.rows.resize(span.first_row + static_cast<std::size_t>(blocks_));
    Row* rows = &chart_.rows[span.first_row];
    for_each_block(span.rows, [&](int block) {
        rows[block] = {there_[block], static_cast<std::uint32_t>(chart_.inside.size())};
        for_each_bit(there_[block], [&](int bit) {
            const int category = block * 64 + bit;
            chart_.categories.push_back(static_cast<std::uint16_t>(category));
            chart_.inside.push_back(best_[category]);
            span.best = std::max(span.best, best_[category]);
        });
        there_[block] = 0;
    });
    span.last = static_cast<std::uint32_t>(chart_.inside.size());
}

bool OutsideBound::is_reached() const {
    const Span& whole = chart_.spans[place(0, words_)];
    for (std::uint32_t i = whole.first; i < whole.last; ++i)
        if (const int category = chart_.categories[i]; table_->is_root(category) &&
            chart_.inside[i] + table_->root_score(category) > chart_.floor) return true;
    return false;
}

// What the span's categories get from above is known: first what their unary parents hand down, then on to the children.
void OutsideBound::fill_outside(int start, int end) {
    const std::size_t here = place(start, end);
    const Span& span = chart_.spans[here];
    Score highest = kNone;
    for (std::uint32_t i = span.first; i < span.last; ++i)
        if (chart_.outside[i] != kNone && chart_.inside[i] + chart_.outside[i] >= chart_.floor)
            highest = std::max(highest, chart_.outside[i]);
    if (highest == kNone) return;
    // That of a category over the span; kNone also where the chart does not hold it.
    const auto above = [&](int category) {
        const std::uint32_t at = chart_.find(here, category);
        return at == kNowhere ? kNone : chart_.outside[at];
    };
    for (bool better = may_change(start, end); better;) {
        better = false;
        for (std::uint32_t i = span.first; i < span.last; ++i)
            for (const UnaryEntry& rule : table_->unary_rules(chart_.categories[i])) {
                if (!may_build(rule.rule, start)) continue;
                const Score parent = above(rule.result);
                if (parent == kNone || chart_.outside[i] >= parent - unary_cost_) continue;
                chart_.outside[i] = parent - unary_cost_;
                better = true;
            }
    }
    const Score least = chart_.floor == kNone ? kNone : chart_.floor - highest;
    const auto hand_down = [&](std::uint32_t left, std::uint32_t right, int result) {
        const Score parent = above(result);
        if (parent == kNone) return;
        chart_.outside[left] = std::max(chart_.outside[left], parent + chart_.inside[right]);
        chart_.outside[right] = std::max(chart_.outside[right], parent + chart_.inside[left]);
    };
    if (span.holds_edges) {
        for (std::uint32_t i = span.first_edge; i < span.last_edge; ++i) {
            const Edge& edge = edges_[i];
            if (chart_.inside[edge.left] + chart_.inside[edge.right] >= least) hand_down(edge.left, edge.right, edge.result);
        }
    } else {
        for (int middle = start + 1; middle < end; ++middle) for_each_join(start, middle, end, least, hand_down);
    }
}

}  // namespace starccg
