// When a search has to end before it is finished: its time is up, or it is interrupted.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace starccg {

// Why a search ended. `none`: it found what was asked for.
enum class Stop { none, forest, agenda, recursive_units, words, seconds, exhausted, interrupted, gold, lost, margin };

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Set by another thread to end a search: at once, or when a deadline passes.
class Cancellation {
public:
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
    void set_deadline(Clock::time_point when) { deadline_.store(when.time_since_epoch().count(), std::memory_order_relaxed); }
    Clock::time_point deadline() const {
        return Clock::time_point(Clock::duration(deadline_.load(std::memory_order_relaxed)));
    }

private:
    std::atomic<bool> cancelled_{false};
    std::atomic<Clock::rep> deadline_{Clock::duration::max().count()};
};

// How a search learns that it should stop; shared by the threads of a batch.
struct Interrupt {
    std::atomic<bool> stop{false};
    bool (*poll)(void*) = nullptr;  // called at the check points of a search on the calling thread
    void* context = nullptr;
    const Cancellation* cancellation = nullptr;

    bool is_set() const { return stop.load(std::memory_order_relaxed) || (cancellation && cancellation->is_cancelled()); }
};

// The time limit of one search, and its interrupt. For tests the clock can be counted: then one second passes at each
// check, and a search checks as often as it can, so that a limit of k seconds stops it at its k-th check point.
class Deadline {
public:
    Deadline(Interrupt& interrupt, double seconds, bool counts_checks)
        : interrupt_(interrupt), seconds_(seconds), counts_checks_(counts_checks), begin_(Clock::now()) {}

    // Once this is not Stop::none it stays so.
    Stop check() {
        if (stop_ != Stop::none) return stop_;
        ++checks_;
        if (interrupt_.is_set()) return stop_ = Stop::interrupted;
        if (interrupt_.poll && interrupt_.poll(interrupt_.context)) {
            interrupt_.stop.store(true);
            return stop_ = Stop::interrupted;
        }
        const bool is_up = counts_checks_ ? static_cast<double>(checks_) > seconds_ : elapsed() >= seconds_;
        const bool is_late = interrupt_.cancellation && Clock::now() >= interrupt_.cancellation->deadline();
        return stop_ = is_up || is_late ? Stop::seconds : Stop::none;
    }

    // As much time again, or a share of it, from now on.
    Deadline renewed(double share = 1) const { return Deadline(interrupt_, share * seconds_, counts_checks_); }

    bool is_interrupted() const { return interrupt_.is_set(); }
    double elapsed() const { return seconds_since(begin_); }
    bool counts_checks() const { return counts_checks_; }

private:
    Interrupt& interrupt_;
    const double seconds_;
    const bool counts_checks_;
    const Clock::time_point begin_;
    std::int64_t checks_ = 0;
    Stop stop_ = Stop::none;
};

// Checks a deadline at the `first`-th call and then at every `interval`-th: reading the clock each time would be slow.
class PeriodicCheck {
public:
    PeriodicCheck(Deadline& deadline, int first, int interval)
        : deadline_(deadline), interval_(deadline.counts_checks() ? 1 : interval),
          until_(deadline.counts_checks() ? 1 : first) {}

    Stop operator()() { return --until_ > 0 ? Stop::none : check(); }

private:
    [[gnu::noinline]] Stop check() {
        until_ = interval_;
        return deadline_.check();
    }

    Deadline& deadline_;
    const int interval_;
    int until_;
};

}  // namespace starccg
