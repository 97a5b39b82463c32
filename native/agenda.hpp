// The agenda: items by priority, then the larger span, then the older item.
//
// The bound is consistent, so the head's priority never rises. That allows a radix heap: items are kept by the highest
// bit in which their priority differs from the head's, and are looked at again only when their bucket comes to the
// front. In factored models most items tie with the head; those wait in one queue per span length.
#pragma once
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

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
        place({static_cast<std::uint64_t>(ceiling_ - priority), item, static_cast<std::uint32_t>(length)});
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

private:
    struct Entry {
        std::uint64_t deficit;  // below the ceiling
        std::uint32_t item, length;
    };
    struct Queue {
        std::vector<std::uint32_t> items;
        std::size_t head = 0;
        void clear() { items.clear(), head = 0; }
    };

    void place(const Entry& entry) {
        assert(entry.deficit >= level_);
        const std::uint64_t differs = entry.deficit ^ level_;
        if (differs == 0) {
            enqueue(static_cast<int>(entry.length), entry.item);
        } else {
            const int bucket = 63 - std::countl_zero(differs);
            buckets_[bucket].push_back(entry);
            occupied_ |= std::uint64_t{1} << bucket;
        }
    }

    void enqueue(int length, std::uint32_t item) {
        Queue& queue = queues_[length];
        queue.items.push_back(item);
        // Items come in order of age, but for those that went back on the agenda after rescoring.
        for (std::size_t i = queue.items.size() - 1; i > queue.head && queue.items[i - 1] > item; --i)
            std::swap(queue.items[i - 1], queue.items[i]);
        lengths_[length / 64] |= std::uint64_t{1} << (length % 64);
        ++waiting_;
    }

    // Moves the level down to the next priority that exists.
    void advance() {
        const int lowest = std::countr_zero(occupied_);
        std::vector<Entry>& bucket = buckets_[lowest];
        occupied_ &= occupied_ - 1;
        level_ = bucket.front().deficit;
        for (const Entry& entry : bucket) level_ = entry.deficit < level_ ? entry.deficit : level_;
        for (const Entry& entry : bucket) place(entry);  // all of them belong in lower buckets now
        bucket.clear();
    }

    std::vector<Entry> buckets_[64];
    std::uint64_t occupied_ = 0;
    std::vector<Queue> queues_;
    std::vector<std::uint64_t> lengths_;  // which queues hold something
    Score ceiling_ = 0;
    std::uint64_t level_ = 0;
    std::size_t waiting_ = 0, size_ = 0;
};

}  // namespace starccg
