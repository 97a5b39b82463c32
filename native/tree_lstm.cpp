#include "tree_lstm.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace starccg {

extern const UnitKernels baseline;
#ifdef STARCCG_X86_CLONES
extern const UnitKernels avx2;
extern const UnitKernels avx512;
#endif

namespace {

// The kernels that this machine can run, the best first.
std::vector<const UnitKernels*> possible_kernels() {
    std::vector<const UnitKernels*> possible;
#ifdef STARCCG_X86_CLONES
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        possible.push_back(&avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) possible.push_back(&avx2);
#endif
    possible.push_back(&baseline);
    return possible;
}

const UnitKernels& choose_kernels() {
    const std::vector<const UnitKernels*> possible = possible_kernels();
    const char* asked = std::getenv("STARCCG_ISA");
    if (!asked || !*asked) return *possible.front();
    std::string names;
    for (const UnitKernels* each : possible) {
        if (std::strcmp(each->name, asked) == 0) return *each;
        names += (names.empty() ? "" : ", ") + std::string(each->name);
    }
    throw std::invalid_argument("STARCCG_ISA=" + std::string(asked) + ": this machine runs " + names +
                                "; set it to one of these, or not at all");
}

}  // namespace

// STARCCG_ISA=baseline or avx2 selects an older instruction set, to compare them.
const UnitKernels& unit_kernels() {
    static const UnitKernels& chosen = choose_kernels();
    return chosen;
}

namespace {

const TreeLstm::Input& checked(const TreeLstm::Input& in) {
    check_model_size(static_cast<std::size_t>(in.types), static_cast<std::size_t>(in.cells),
                     static_cast<std::size_t>(in.categories), static_cast<std::size_t>(in.embedding));
    return in;
}

}  // namespace

void check_finite(const float* values, long count, const std::string& what) {
    if (!std::all_of(values, values + count, [](float value) { return std::isfinite(value); }))
        throw std::invalid_argument(what + " holds a number that is not finite");
}

void check_model_size(std::size_t types, std::size_t cells, std::size_t categories, std::size_t embedding) {
    const auto check = [](std::size_t value, std::size_t most, const char* what) {
        if (value < 1 || value > most)
            throw std::invalid_argument("the model must have from 1 to " + std::to_string(most) + " " + what + ", not " +
                                        std::to_string(value));
    };
    check(types, 32, "rule types");
    check(cells, kMostCells, "cells");
    check(categories, kMaxCategories, "categories");
    check(embedding, 65536, "embedding dimensions");
}

TreeLstm::TreeLstm(const Input& in)
    : types_(checked(in).types), d_(in.cells), D_((in.cells + 15) / 16 * 16), categories_(in.categories), e_(in.embedding),
      reads_new_cell_(in.output_reads_new_cell), kernels_(unit_kernels()),
      weights_(aligned_floats(in.types * 13L * in.cells * D_)), embedding_(aligned_floats(4L * in.types * e_ * D_)),
      biases_(aligned_floats(4L * in.types * D_)), embeddings_(aligned_floats(static_cast<long>(categories_) * e_)),
      unary_left_(aligned_floats(2 * D_)), unary_left_shares_(aligned_floats(4L * in.types * D_)),
      output_(aligned_floats(D_)),
      folded_(aligned_floats(4UL * in.types * in.categories * D_)),
      is_folded_(new std::atomic<bool>[static_cast<std::size_t>(in.types) * in.categories]()) {
    const long d = d_, e = e_, T = types_;
    check_finite(in.input_gate, T * d * (4 * d + e), "input_gate");
    check_finite(in.forget_gate, T * d * (4 * d + e), "forget_gate");
    check_finite(in.output_gate, T * d * (3 * d + e), "output_gate");
    check_finite(in.candidate, T * d * (2 * d + e), "candidate");
    check_finite(in.biases, T * 4 * d, "biases");
    check_finite(in.embeddings, categories_ * e, "categories");
    check_finite(in.unary_left, 2 * d, "unary_left");
    check_finite(in.output, d, "output");

    std::fill_n(weights_.get(), T * rule_floats(), 0.0f);
    std::fill_n(embedding_.get(), 4 * T * e * D_, 0.0f);
    std::fill_n(biases_.get(), 4 * T * D_, 0.0f);
    std::copy_n(in.embeddings, categories_ * e, embeddings_.get());
    std::fill_n(unary_left_.get(), 2 * D_, 0.0f);
    pad(in.unary_left, in.unary_left + d, unary_left_.get());
    std::fill_n(output_.get(), D_, 0.0f);
    std::copy_n(in.output, d, output_.get());

    const long wide = 4 * d + e, output_wide = 3 * d + e, narrow = 2 * d + e;
    for (long rule = 0; rule < T; ++rule) {
        float* left = weights_.get() + rule * rule_floats();
        float* right = left + 6 * d * D_;
        float* cell = right + 6 * d * D_;
        float* x = embedding_.get() + 4 * rule * e * D_;
        for (long j = 0; j < d; ++j) {  // j: an output; k: an input
            const float* i = in.input_gate + (rule * d + j) * wide;          // [c_l, h_l, c_r, h_r, x]
            const float* f = in.forget_gate + (rule * d + j) * wide;
            const float* o = in.output_gate + (rule * d + j) * output_wide;  // [c~, h_l, h_r, x]
            const float* c = in.candidate + (rule * d + j) * narrow;         // [h_l, h_r, x]
            for (long k = 0; k < d; ++k) {
                float *l = left + k * 6 * D_ + j, *r = right + k * 6 * D_ + j;
                l[0] = i[k], l[D_] = f[k];
                l[2 * D_] = i[d + k], l[3 * D_] = f[d + k], l[4 * D_] = c[k], l[5 * D_] = o[d + k];
                r[0] = i[2 * d + k], r[D_] = f[2 * d + k];
                r[2 * D_] = i[3 * d + k], r[3 * D_] = f[3 * d + k], r[4 * D_] = c[d + k], r[5 * D_] = o[2 * d + k];
                cell[k * D_ + j] = o[k];
            }
            for (long k = 0; k < e; ++k) {
                float* row = x + k * 4 * D_ + j;
                row[0] = i[4 * d + k], row[D_] = f[4 * d + k], row[2 * D_] = c[2 * d + k], row[3 * D_] = o[3 * d + k];
            }
            const float* b = in.biases + rule * 4 * d + j;  // input, forget, output, candidate
            float* own = biases_.get() + 4 * rule * D_ + j;
            own[0] = b[0], own[D_] = b[d], own[2 * D_] = b[3 * d], own[3 * D_] = b[2 * d];
        }
    }
    for (int rule = 0; rule < types_; ++rule) share(rule, 0, unary_left_.get(), unary_left_shares_.get() + 4L * rule * D_);
}

const float* TreeLstm::bias(int rule, int category) const {
    const std::size_t at = static_cast<std::size_t>(rule) * categories_ + category;
    float* folded = folded_.get() + at * 4 * D_;
    if (is_folded_[at].load(std::memory_order_acquire)) return folded;
    const std::lock_guard<std::mutex> lock(folding_);
    if (is_folded_[at].load(std::memory_order_relaxed)) return folded;
    const float* x = embeddings_.get() + static_cast<long>(category) * e_;
    std::copy_n(biases_.get() + 4L * rule * D_, 4 * D_, folded);
    for (int k = 0; k < e_; ++k) {
        const float* row = embedding_.get() + (static_cast<long>(rule) * e_ + k) * 4 * D_;
        for (int j = 0; j < 4 * D_; ++j) folded[j] += x[k] * row[j];
    }
    is_folded_[at].store(true, std::memory_order_release);
    return folded;
}

Score TreeLstm::unit(int rule, int category, const ChildInput& left, const ChildInput& right, float* state) const {
    const UnitInput input{.output_cell = rule_weights(rule) + 12L * d_ * D_, .bias = bias(rule, category), .left = left,
                          .right = right, .output = output_.get(), .reads_new_cell = reads_new_cell_, .d = d_, .D = D_};
    const double x = kernels_.finish(input, state);
    if (std::isnan(x)) throw std::invalid_argument("a global score is not a number: the weights are too large");
    const double score = x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
    return to_grid(std::clamp(score, -kLargest, 0.0));
}

void TreeLstm::pad(const float* c, const float* h, float* state) const {
    std::memcpy(state, c, d_ * sizeof(float));
    std::memset(state + d_, 0, (D_ - d_) * sizeof(float));
    std::memcpy(state + D_, h, d_ * sizeof(float));
    std::memset(state + D_ + d_, 0, (D_ - d_) * sizeof(float));
}

void ShareCache::reset(const TreeLstm& model) {
    if (floats_ != model.share_floats()) {
        floats_ = model.share_floats();
        count_ = std::max<std::size_t>(64, kBytes / (floats_ * sizeof(float)));
        shares_ = aligned_floats(count_ * floats_);
        keys_.assign(count_, 0);
        places_.assign(std::size_t{1} << kTableBits, 0);
    }
    next_ = 0;
    if (++stamp_ >> 26) {
        stamp_ = 1;
        std::fill(keys_.begin(), keys_.end(), 0);
    }
}

const float* ShareCache::get(const TreeLstm& model, int rule, int side, std::uint32_t name, const float* state) {
    const std::uint64_t unit = static_cast<std::uint64_t>(rule) << 1 | side;
    const std::uint64_t key = stamp_ << 38 | static_cast<std::uint64_t>(name) << 6 | unit;
    std::uint32_t& place = places_[key * 0x9e3779b97f4a7c15ull >> (64 - kTableBits)];
    const auto advance = [&] { next_ = next_ + 1 == count_ ? 0 : next_ + 1; };
    if (keys_[place] == key) {
        if (place == next_) advance();  // the next call must not write over what this one returns
        return shares_.get() + place * static_cast<std::size_t>(floats_);
    }
    place = static_cast<std::uint32_t>(next_);
    advance();
    keys_[place] = key;
    float* share = shares_.get() + place * static_cast<std::size_t>(floats_);
    model.share(rule, side, state, share);
    return share;
}

}  // namespace starccg
