// Many sentences on several threads: each thread has its workspace and takes the next sentence. A result does not depend on
// the thread that computes it.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "search.hpp"

namespace starccg {

// Workspaces are kept for the next batch, so that parsing one sentence at a time does not allocate each time.
class WorkspacePool {
public:
    std::unique_ptr<Workspace> take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (free_.empty()) return std::make_unique<Workspace>();
        std::unique_ptr<Workspace> workspace = std::move(free_.back());
        free_.pop_back();
        return workspace;
    }
    void give_back(std::unique_ptr<Workspace> workspace) {
        workspace->trim();
        const std::lock_guard<std::mutex> lock(mutex_);
        if (free_.size() < 64) free_.push_back(std::move(workspace));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> free_;
};

// The sentences by length, the longest first: a long one that is started last would leave the other threads idle.
template <class Words>
std::vector<std::uint32_t> longest_first(std::size_t count, Words words) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return words(a) > words(b); });
    return order;
}

// The state that the threads of one batch share. Each field that is written often has a cache line of its own.
class BatchQueue {
public:
    explicit BatchQueue(const std::vector<std::uint32_t>& order)
        : order_(order), finished_(order.size()), failed_(order.size()) {}

    // Runs work(index, workspace, interrupt) for the next sentence; false when there is none left.
    template <class Work>
    bool run_next(Work& work, std::unique_ptr<Workspace>& workspace, Interrupt& interrupt) {
        const std::size_t ticket = next_.fetch_add(1, std::memory_order_relaxed);
        if (ticket >= order_.size() || interrupt.stop.load(std::memory_order_relaxed)) return false;
        const std::size_t index = order_[ticket];
        if (index > failed_.load(std::memory_order_relaxed)) return true;  // only errors of earlier sentences are reported
        try {
            work(index, *workspace, interrupt);
            finished_[index].store(true, std::memory_order_release);
        } catch (...) {
            workspace = std::make_unique<Workspace>();
            const std::lock_guard<std::mutex> lock(mutex_);
            if (index < failed_.load()) failed_.store(index), error_ = std::current_exception();
        }
        return true;
    }

    bool is_finished(std::size_t index) const { return finished_[index].load(std::memory_order_acquire); }
    std::size_t failed() const { return failed_.load(); }  // the first, by index, of the sentences that threw
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

    // ---- the threads beside the calling one ----
    void entered() {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++running_;
    }
    void left() {
        const std::lock_guard<std::mutex> lock(mutex_);
        --running_;
        changed_.notify_one();
    }
    // Waits until all have left, at most this long; whether they have.
    bool wait(std::chrono::milliseconds time) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, time, [&] { return running_ == 0; });
    }

private:
    const std::vector<std::uint32_t>& order_;
    std::vector<std::atomic<bool>> finished_;
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<std::size_t> failed_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::exception_ptr error_;
    int running_ = 0;
};

struct Batch {
    std::vector<std::uint32_t> order;  // of the sentences, by index
    int threads;
    WorkspacePool& pool;
    Interrupt &interrupt, &own_interrupt;  // the second one is that of the calling thread
    std::size_t failed = 0;  // set by run_batch: the first sentence, by index, whose work threw; else their number
};

// Runs work(index, workspace, interrupt) for every sentence, on the calling thread and `threads` - 1 others. While
// others work, the calling thread also calls ready(first, last), in order, for the sentences that are finished, and tick()
// every 50 ms; an exception of either stops the batch. The first exception of the work, by index, is thrown when all
// threads have ended.
template <class Work, class Ready, class Tick>
void run_batch(Batch& batch, Work work, Ready ready, Tick tick) {
    constexpr std::size_t kTogether = 32;  // finished sentences to call ready() for at once
    Interrupt &interrupt = batch.interrupt, &own_interrupt = batch.own_interrupt;
    WorkspacePool& pool = batch.pool;
    const std::size_t count = batch.order.size();
    BatchQueue queue(batch.order);
    batch.failed = count;
    const auto thread_main = [&] {
        std::unique_ptr<Workspace> workspace = pool.take();
        while (queue.run_next(work, workspace, interrupt)) {
        }
        pool.give_back(std::move(workspace));
        queue.left();
    };

    std::vector<std::thread> crew;
    std::unique_ptr<Workspace> workspace = pool.take();
    try {
        const std::size_t wanted = std::min<std::size_t>(std::max(batch.threads, 1), std::max<std::size_t>(count, 1));
        for (std::size_t i = 1; i < wanted; ++i) {
            queue.entered();
            try {
                crew.emplace_back(thread_main);
            } catch (...) {
                queue.left();
                break;  // the threads that did start do all the work
            }
        }
        Clock::time_point ticked = Clock::now();
        std::size_t given = 0;
        const auto hand_on = [&](std::size_t least) {
            std::size_t end = given;
            while (end < count && end < queue.failed() && queue.is_finished(end)) ++end;
            if (end - given < least) return;
            ready(given, end);
            given = end;
        };
        while (!own_interrupt.stop.load() && queue.run_next(work, workspace, own_interrupt)) {
            if (own_interrupt.stop.load()) break;  // a signal handler may have set an exception
            if (seconds_since(ticked) >= 0.05) tick(), ticked = Clock::now();
            if (!crew.empty()) hand_on(kTogether);  // alone, it would only make other threads of the caller wait
        }
        if (own_interrupt.stop.load()) interrupt.stop.store(true);
        for (bool over = false; !over;) {
            over = queue.wait(std::chrono::milliseconds(50));
            tick();
            hand_on(1);
        }
    } catch (...) {
        interrupt.stop.store(true);
        for (std::thread& thread : crew) thread.join();
        throw;
    }
    for (std::thread& thread : crew) thread.join();
    pool.give_back(std::move(workspace));
    batch.failed = queue.failed();
    queue.rethrow();
}

}  // namespace starccg
