// The agenda: items by priority, then the larger span, then the older item.
//
// The bound is consistent, so the head's priority never rises. That allows a radix heap: items are kept by the highest
// bit in which their priority differs from the head's, and are moved only when their bucket comes to the
// front. In factored models most items tie with the head; those wait in one queue per span length.
#pragma once
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "score.hpp"

namespace starccg {

class Agenda {
public:
    // No priority is above `ceiling`.
    void reset(int words, Score ceiling) {
        if (static_cast<int>(queues_.size()) < words + 1) queues_.resize(words + 1);
        for (std::size_t word = 0; word < lengths_.size(); ++word)
            for (std::uint64_t rest = lengths_[word]; rest; rest &= rest - 1)
                queues_[word * 64 + std::countr_zero(rest)].clear();
        lengths_.assign((words + 64) / 64, 0);
        for (; occupied_; occupied_ &= occupied_ - 1) buckets_[std::countr_zero(occupied_)].clear();
        ceiling_ = ceiling;
        level_ = 0;
        waiting_ = 0;
        size_ = 0;
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    // The head's priority; the agenda must not be empty.
    Score head_priority() {
        if (waiting_ == 0) advance();
        return ceiling_ - static_cast<Score>(level_);
    }

    void push(Score priority, int length, std::uint32_t item) {
        ++size_;
        const auto deficit = static_cast<std::uint64_t>(ceiling_ - priority);
        place(deficit, item, static_cast<std::uint32_t>(length));
    }

    std::uint32_t pop() {
        if (waiting_ == 0) advance();
        std::size_t word = lengths_.size() - 1;
        while (lengths_[word] == 0) --word;
        const int bit = 63 - std::countl_zero(lengths_[word]);
        Queue& queue = queues_[word * 64 + bit];
        const std::uint32_t item = queue.items[queue.head++];
        if (queue.head == queue.items.size()) {
            lengths_[word] &= ~(std::uint64_t{1} << bit);
            queue.clear();
        }
        --waiting_;
        --size_;
        return item;
    }

    // Gives every item a new priority, none above its old one; an item whose new priority is kNone is removed.
    template <class Priority>
    void change(Priority priority) {
        changed_.clear();
        for (std::uint64_t rest = occupied_; rest; rest &= rest - 1)
            for (const Entry& entry : buckets_[std::countr_zero(rest)]) changed_.push_back(entry);
        for (std::size_t word = 0; word < lengths_.size(); ++word)
            for (std::uint64_t rest = lengths_[word]; rest; rest &= rest - 1) {
                const auto length = static_cast<std::uint32_t>(word * 64 + std::countr_zero(rest));
                const Queue& queue = queues_[length];
                for (std::size_t i = queue.head; i < queue.items.size(); ++i) changed_.push_back({0, queue.items[i], length});
            }
        reset(static_cast<int>(queues_.size()) - 1, ceiling_);
        std::sort(changed_.begin(), changed_.end(), [](const Entry& a, const Entry& b) { return a.item < b.item; });
        for (const Entry& entry : changed_)
            if (const Score now = priority(entry.item); now != kNone) push(now, static_cast<int>(entry.length), entry.item);
    }

private:
    struct Entry {
        std::uint64_t deficit;  // below the ceiling
        std::uint32_t item, length;
    };
    struct Queue {
        Arena<std::uint32_t> items;
        std::size_t head = 0;
        void clear() { items.clear(), head = 0; }
    };

    void place(std::uint64_t deficit, std::uint32_t item, std::uint32_t length) {
        assert(deficit >= level_);
        const std::uint64_t differs = deficit ^ level_;
        if (differs == 0) {
            enqueue(length, item);
        } else {
            const int bucket = 63 - std::countl_zero(differs);
            buckets_[bucket].push_back({deficit, item, length});
            occupied_ |= std::uint64_t{1} << bucket;
        }
    }

    void enqueue(std::uint32_t length, std::uint32_t item) {
        Queue& queue = queues_[length];
        const bool in_order = queue.items.empty() || queue.items.back() < item;
        queue.items.push_back(item);
        if (!in_order) sort_in(queue);
        lengths_[length / 64] |= std::uint64_t{1} << (length % 64);
        ++waiting_;
    }

    // Items are pushed in order of age, except those that were rescored.
    static void sort_in(Queue& queue) {
        for (std::size_t i = queue.items.size() - 1; i > queue.head && queue.items[i - 1] > queue.items[i]; --i)
            std::swap(queue.items[i - 1], queue.items[i]);
    }

    // Moves the level down to the next priority that exists.
    void advance() {
        const int lowest = std::countr_zero(occupied_);
        Arena<Entry>& bucket = buckets_[lowest];
        occupied_ &= occupied_ - 1;
        std::uint64_t level = bucket.front().deficit;
        for (const Entry& entry : bucket) level = entry.deficit < level ? entry.deficit : level;
        level_ = level;
        for (const Entry& entry : bucket) place(entry.deficit, entry.item, entry.length);  // all in lower buckets now
        bucket.clear();
    }

    Arena<Entry> buckets_[64];
    Arena<Entry> changed_;
    std::uint64_t occupied_ = 0;
    std::vector<Queue> queues_;
    std::vector<std::uint64_t> lengths_;  // which queues hold something
    Score ceiling_ = 0;
    std::uint64_t level_ = 0;
    std::size_t waiting_ = 0, size_ = 0;
};

}  // namespace starccg
