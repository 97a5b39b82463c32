// The compiled grammar. The partners that a category combines with are a row of bits: comparing them with a column of the
// chart takes one AND for 64 categories, and a partner's rules are found by counting the bits before it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "score.hpp"

namespace starccg {

inline constexpr int kLexicon = 0;  // the rule type of leaves
inline constexpr int kMaxCategories = 65535;
inline constexpr int kMaxWords = 4095;  // 12 bits of a signature

// The part of a signature (see chart.hpp) that a rule decides: 16 bits of category, 6 of chain length, 6 of class.
inline std::uint64_t label_signature(int category, int rule_class) {
    return static_cast<std::uint64_t>(category) << 24 | static_cast<std::uint64_t>(rule_class) << 46;
}

struct BinaryEntry {
    std::uint64_t label;  // label_signature
    std::uint16_t result;
    std::uint8_t rule;
    std::uint8_t head;  // 0: the left child, 1: the right
};

struct UnaryEntry {
    std::uint16_t result;
    std::uint8_t rule;
};

inline int count_bits(std::uint64_t x) {  // std::popcount is a function call on the oldest x86-64
    x -= (x >> 1) & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return static_cast<int>((x * 0x0101010101010101ull) >> 56);
}

// 64 possible partners of a category, and the number of the first of them that exists.
struct PartnerBits {
    std::uint64_t bits = 0;
    std::uint32_t first = 0;

    // The number of the pair with the partner of this bit, which must be set.
    std::uint32_t number_of(std::uint64_t bit) const {
        return first + static_cast<std::uint32_t>(count_bits(bits & (bit - 1)));
    }
};

class RuleTable {
public:
    struct Input {
        int categories = 0;
        int lexical = 0;
        std::vector<std::int32_t> binary;  // rows of five: left, right, result, rule, head
        std::vector<std::int32_t> unary;   // rows of three: child, result, rule
        std::vector<std::int32_t> roots;
        std::vector<double> root_scores;  // of each root, never positive; empty: all are 0
        int types = 0;
        std::vector<std::uint32_t> allowed;  // types x types
        std::vector<std::uint32_t> unary_allowed;
        std::uint32_t start_only = 0;
        int max_unary_chain = 0;
        bool unary_at_root = true;
        std::vector<std::int32_t> classes;  // of each rule type
        bool chain_length_matters = false;
    };

    explicit RuleTable(const Input& input);

    int categories() const { return categories_; }
    int lexical() const { return lexical_; }
    int types() const { return types_; }
    int words_of_bits() const { return words_of_bits_; }
    bool unary_at_root() const { return unary_at_root_; }
    bool chain_length_matters() const { return chain_length_matters_; }
    bool is_root(int category) const { return is_root_[category]; }
    bool scores_roots() const { return scores_roots_; }
    // What a complete parse adds to its score for its category; 0 for what is no root.
    Score root_score(int category) const { return root_scores_[category]; }
    Score best_root_score() const { return best_root_score_; }
    int rule_class(int rule) const { return classes_[rule]; }
    // The rule types that may build a node which starts at `start`, as bits.
    std::uint32_t builders(int start) const { return start == 0 ? ~std::uint32_t{0} : ~start_only_; }

    std::uint32_t allowed(int left_rule, int right_rule) const { return allowed_[left_rule * 32 + right_rule]; }
    // The unary rules over a node that `rule` built, on top of a chain of this many unary rules.
    std::uint32_t unary_mask(int rule, int chain) const {
        return max_unary_chain_ > 0 && chain >= max_unary_chain_ ? 0 : unary_allowed_[rule];
    }

    // The categories that combine with `category` as the one on its right, or on its left.
    const PartnerBits* right_partners(int category) const { return &right_bits_[category * words_of_bits_]; }
    const PartnerBits* left_partners(int category) const { return &left_bits_[category * words_of_bits_]; }

    // Bit w: word w (mod 64) of the row is not zero.
    std::uint64_t right_summary(int category) const { return right_summary_[category]; }
    std::uint64_t left_summary(int category) const { return left_summary_[category]; }

    // The number of a pair in order of (left, right); kNoPair if no rule combines the two.
    static constexpr std::uint32_t kNoPair = 0xffffffffu;
    std::uint32_t pair_of(int left, int right) const {
        const PartnerBits& partners = right_partners(left)[right / 64];
        const std::uint64_t bit = std::uint64_t{1} << (right % 64);
        return partners.bits & bit ? partners.number_of(bit) : kNoPair;
    }

    // The rules of the n-th pair in order of (left, right), or of (right, left).
    std::span<const BinaryEntry> rules(std::uint32_t pair) const {
        return {rules_.data() + pair_start_[pair], rules_.data() + pair_start_[pair + 1]};
    }
    std::uint32_t pair_of_left(std::uint32_t position) const { return left_pair_[position]; }

    // Of 64 categories, those that a unary rule changes.
    std::uint64_t unary_bits(int word) const { return unary_bits_[word]; }
    std::span<const UnaryEntry> unary_rules(int category) const {
        return {unary_.data() + unary_start_[category], unary_.data() + unary_start_[category + 1]};
    }

    // Which child heads `left right -> result` by `rule`: 0 or 1, or -1 if the table has no such rule.
    int head_of(int left, int right, int result, int rule) const;
    // Whether the table has `child -> result` by `rule`.
    bool has_unary(int child, int result, int rule) const {
        const std::span<const UnaryEntry> rules = unary_rules(child);
        return std::any_of(rules.begin(), rules.end(),
                           [&](const UnaryEntry& each) { return each.result == result && each.rule == rule; });
    }

private:
    int categories_, lexical_, types_, words_of_bits_, max_unary_chain_;
    bool unary_at_root_, chain_length_matters_;
    bool scores_roots_ = false;
    std::uint32_t start_only_;
    std::vector<PartnerBits> right_bits_, left_bits_;
    std::vector<std::uint64_t> right_summary_, left_summary_;
    std::vector<std::uint32_t> pair_start_;  // of pairs ordered by left, then right
    std::vector<std::uint32_t> left_pair_;   // pairs ordered by right, then left -> their number in the other order
    std::vector<BinaryEntry> rules_;
    std::vector<UnaryEntry> unary_;
    std::vector<std::uint32_t> unary_start_;
    std::vector<std::uint64_t> unary_bits_;
    std::vector<std::uint32_t> allowed_, unary_allowed_;
    std::vector<std::uint8_t> is_root_;
    std::vector<Score> root_scores_;
    Score best_root_score_ = 0;
    std::vector<std::int32_t> classes_;
};

}  // namespace starccg
