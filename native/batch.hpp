// Many sentences over threads: each thread has its workspace and pulls the next sentence; what a sentence gives does
// not depend on which thread it meets, so neither do the answers.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "search.hpp"

namespace starccg {

// Workspaces outlive batches, so that a service that parses one sentence at a time does not allocate each time.
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

// Runs work(index, workspace, interrupt) for every index below `count`. The calling thread does not work: it calls
// tick() every 50 ms and then ready(index), in order, for the answers that have come; an exception of either stops the
// batch. It is not woken for each answer: that would take a core from the threads that work.
// The first exception of the work, by index, is thrown when all threads have ended; `failed` is then its index.
template <class Work, class Ready, class Tick>
void run_batch(std::size_t count, int threads, WorkspacePool& pool, Interrupt& interrupt, Work work, Ready ready, Tick tick,
               std::size_t& failed) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::atomic<bool>> finished(count);
    std::exception_ptr error;
    failed = count;
    int running = 0;

    const auto thread_main = [&] {
        std::unique_ptr<Workspace> workspace = pool.take();
        for (;;) {
            const std::size_t index = next.fetch_add(1);
            if (index >= count || interrupt.stop.load()) break;
            std::exception_ptr caught;
            try {
                work(index, *workspace, interrupt);
            } catch (...) {
                caught = std::current_exception();
                workspace = std::make_unique<Workspace>();
            }
            if (!caught) {
                finished[index].store(true, std::memory_order_release);
                continue;
            }
            const std::lock_guard<std::mutex> lock(mutex);
            if (index < failed) {
                failed = index;
                error = caught;
            }
            next.store(count);  // sentences before this one are all with some thread already
        }
        pool.give_back(std::move(workspace));
        const std::lock_guard<std::mutex> lock(mutex);
        --running;
        changed.notify_one();
    };

    std::vector<std::thread> crew;
    const auto join_all = [&] {
        for (std::thread& thread : crew) thread.join();
    };
    try {
        const std::size_t wanted = std::min<std::size_t>(std::max(threads, 1), std::max<std::size_t>(count, 1));
        for (std::size_t i = 0; i < wanted; ++i) {
            {
                const std::lock_guard<std::mutex> lock(mutex);
                ++running;
            }
            try {
                crew.emplace_back(thread_main);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex);
                --running;
                if (crew.empty()) throw;
                break;  // fewer threads than asked for still do all the work
            }
        }
        std::size_t given = 0;
        std::unique_lock<std::mutex> lock(mutex);
        for (bool over = false; !over;) {
            over = changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; });
            lock.unlock();
            tick();
            for (; given < count && finished[given].load(std::memory_order_acquire); ++given) ready(given);
            lock.lock();
        }
    } catch (...) {
        interrupt.stop.store(true);
        join_all();
        throw;
    }
    join_all();
    if (error) std::rethrow_exception(error);
}

}  // namespace starccg
