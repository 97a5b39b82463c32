// The agenda: items by priority, then the larger span, then the older item.
//
// The bound is consistent, so the head's priority never rises, and in factored models most items tie with the head.
// Those that tie wait in one queue per span length (a push or pop of constant time); all others wait in a heap.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "score.hpp"

namespace starccg {

class Agenda {
public:
    void reset(int words) {
        heap_.clear();
        if (static_cast<int>(queues_.size()) < words + 1) queues_.resize(words + 1);
        lengths_.assign((words + 64) / 64, 0);
        for (int length : touched_) queues_[length].clear();
        touched_.clear();
        level_ = kNone;
        waiting_ = 0;
    }

    bool empty() const { return waiting_ == 0 && heap_.empty(); }
    std::size_t size() const { return waiting_ + heap_.size(); }

    // The head's priority; the agenda must not be empty.
    Score head_priority() const {
        if (waiting_ == 0) return heap_.front().priority;
        return heap_.empty() || heap_.front().priority < level_ ? level_ : heap_.front().priority;
    }

    // `item` is younger than all items pushed before it.
    void push(Score priority, int length, std::uint32_t item) {
        if (priority == level_) {
            enqueue(length, item);
        } else {
            push_heap({priority, key(length, item)});
        }
    }

    // An item that was popped and goes back with its age: only its place in the heap can be right.
    void push_back(Score priority, int length, std::uint32_t item) { push_heap({priority, key(length, item)}); }

    std::uint32_t pop() {
        if (!heap_.empty() && (waiting_ == 0 || heap_.front().priority >= level_)) return pop_mixed();
        return dequeue();
    }

private:
    struct Entry {
        Score priority;
        std::uint64_t key;  // larger is sooner: length, then the older
        bool before(const Entry& other) const {
            return priority != other.priority ? priority > other.priority : key > other.key;
        }
    };
    struct Queue {
        std::vector<std::uint32_t> items;
        std::size_t head = 0;
        void clear() { items.clear(), head = 0; }
    };

    static std::uint64_t key(int length, std::uint32_t item) {
        return (static_cast<std::uint64_t>(length) << 32) | (0xffffffffu - item);
    }

    void enqueue(int length, std::uint32_t item) {
        Queue& queue = queues_[length];
        if (queue.items.empty()) touched_.push_back(length);
        queue.items.push_back(item);
        lengths_[length / 64] |= std::uint64_t{1} << (length % 64);
        ++waiting_;
    }

    std::uint64_t longest() const {
        for (std::size_t word = lengths_.size(); word-- > 0;)
            if (lengths_[word]) return word * 64 + 63 - std::countl_zero(lengths_[word]);
        return 0;
    }

    std::uint32_t dequeue() {
        const std::uint64_t length = longest();
        Queue& queue = queues_[length];
        const std::uint32_t item = queue.items[queue.head++];
        if (queue.head == queue.items.size()) {
            lengths_[length / 64] &= ~(std::uint64_t{1} << (length % 64));
            queue.head = 0;
            queue.items.clear();  // stays on the touched list; clearing it twice does no harm
        }
        --waiting_;
        return item;
    }

    // The heap holds something as good as the queues: take whichever comes first.
    std::uint32_t pop_mixed() {
        const Entry& top = heap_.front();
        if (waiting_ && top.priority == level_) {
            const std::uint64_t length = longest();
            const Queue& queue = queues_[length];
            if (key(static_cast<int>(length), queue.items[queue.head]) > top.key) return dequeue();
        }
        // With nothing waiting the level follows the head, so that what ties with it from now on is queued.
        if (waiting_ == 0) level_ = top.priority;
        const std::uint32_t item = 0xffffffffu - static_cast<std::uint32_t>(top.key);
        pop_heap();
        return item;
    }

    void push_heap(Entry entry) {
        std::size_t hole = heap_.size();
        heap_.push_back(entry);
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / 4;
            if (!entry.before(heap_[parent])) break;
            heap_[hole] = heap_[parent];
            hole = parent;
        }
        heap_[hole] = entry;
    }

    void pop_heap() {
        const Entry last = heap_.back();
        heap_.pop_back();
        const std::size_t size = heap_.size();
        if (size == 0) return;
        std::size_t hole = 0;
        for (;;) {
            const std::size_t child = 4 * hole + 1;
            if (child >= size) break;
            std::size_t best = child;
            const std::size_t end = child + 4 < size ? child + 4 : size;
            for (std::size_t i = child + 1; i < end; ++i)
                if (heap_[i].before(heap_[best])) best = i;
            if (!heap_[best].before(last)) break;
            heap_[hole] = heap_[best];
            hole = best;
        }
        heap_[hole] = last;
    }

    std::vector<Entry> heap_;  // four children a node
    std::vector<Queue> queues_;
    std::vector<std::uint64_t> lengths_;  // which queues hold something
    std::vector<int> touched_;
    Score level_ = kNone;
    std::size_t waiting_ = 0;
};

}  // namespace starccg
