#include "rule_table.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace starccg {
namespace {

void check(bool fine, const std::string& what) {
    if (!fine) throw std::invalid_argument("rule table: " + what);
}

void check_range(std::int32_t value, std::int32_t end, const char* what) {
    check(value >= 0 && value < end,
          std::string(what) + " " + std::to_string(value) + " is outside 0.." + std::to_string(end - 1));
}

// Before anything is allocated: the sizes that the other checks and the memory depend on.
const RuleTable::Input& checked(const RuleTable::Input& in) {
    check(in.categories >= 1 && in.categories <= kMaxCategories,
          "there must be from 1 to " + std::to_string(kMaxCategories) + " categories, not " + std::to_string(in.categories));
    check(in.lexical >= 0 && in.lexical <= in.categories, "there are more lexical categories than categories");
    check(in.types >= 1 && in.types <= 32, "there must be from 1 to 32 rule types");
    check(in.max_unary_chain >= 0 && in.max_unary_chain <= 60, "max_unary_chain must be from 0 to 60");
    return in;
}

}  // namespace

RuleTable::RuleTable(const Input& in)
    : categories_(checked(in).categories), lexical_(in.lexical), types_(in.types), words_of_bits_((in.categories + 63) / 64),
      max_unary_chain_(in.max_unary_chain), unary_at_root_(in.unary_at_root),
      chain_length_matters_(in.chain_length_matters), start_only_(in.start_only), allowed_(32 * 32, 0),
      unary_allowed_(32, 0), is_root_(in.categories, 0), root_scores_(in.categories, 0), classes_(32, 0) {
    check(in.binary.size() % 5 == 0, "binary rules must be rows of 5 numbers");
    check(in.unary.size() % 3 == 0, "unary rules must be rows of 3 numbers");
    check(static_cast<int>(in.allowed.size()) == in.types * in.types, "allowed must have the shape (types, types)");
    check(static_cast<int>(in.unary_allowed.size()) == in.types, "unary_allowed must have one mask for each rule type");
    check(static_cast<int>(in.classes.size()) == in.types, "classes must have one number for each rule type");
    for (int a = 0; a < types_; ++a) {
        check_range(in.classes[a], 32, "class");
        classes_[a] = in.classes[a];
        unary_allowed_[a] = in.unary_allowed[a];
        for (int b = 0; b < types_; ++b) allowed_[a * 32 + b] = in.allowed[a * types_ + b];
    }
    check(in.root_scores.empty() || in.root_scores.size() == in.roots.size(),
          std::to_string(in.root_scores.size()) + " root scores for " + std::to_string(in.roots.size()) + " roots");
    for (std::size_t i = 0; i < in.roots.size(); ++i) {
        const std::int32_t root = in.roots[i];
        check_range(root, categories_, "root");
        is_root_[root] = 1;
        if (in.root_scores.empty()) continue;
        const double score = in.root_scores[i];
        check(score <= 0 && score > -kLargest,
              "the score of root " + std::to_string(root) + " must be from -2^20 up to 0, not " + std::to_string(score) +
                  ": the outside bound would not hold");
        root_scores_[root] = to_grid(score);
        scores_roots_ |= root_scores_[root] != 0;
    }
    if (scores_roots_) {
        best_root_score_ = kNone;
        for (const std::int32_t root : in.roots) best_root_score_ = std::max(best_root_score_, root_scores_[root]);
    }

    struct Row {
        std::int32_t left, right, result, rule, head;
    };
    std::vector<Row> rows;
    std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>> seen;
    for (std::size_t i = 0; i < in.binary.size(); i += 5) {
        const Row row{in.binary[i], in.binary[i + 1], in.binary[i + 2], in.binary[i + 3], in.binary[i + 4]};
        check_range(row.left, categories_, "category");
        check_range(row.right, categories_, "category");
        check_range(row.result, categories_, "category");
        check_range(row.rule, types_, "rule type");
        check_range(row.head, 2, "head");
        // A rule given twice would make two derivations that are the same.
        if (seen.insert({row.left, row.right, row.result, row.rule}).second) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.left, a.right) < std::tie(b.left, b.right);
    });

    right_bits_.resize(static_cast<std::size_t>(categories_) * words_of_bits_);
    left_bits_.resize(static_cast<std::size_t>(categories_) * words_of_bits_);
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const Row& row : rows) {
        if (pairs.empty() || pairs.back() != std::pair(row.left, row.right)) {
            pair_start_.push_back(static_cast<std::uint32_t>(rules_.size()));
            pairs.emplace_back(row.left, row.right);
            right_bits_[row.left * words_of_bits_ + row.right / 64].bits |= std::uint64_t{1} << (row.right % 64);
            left_bits_[row.right * words_of_bits_ + row.left / 64].bits |= std::uint64_t{1} << (row.left % 64);
        }
        rules_.push_back({label_signature(row.result, classes_[row.rule]), static_cast<std::uint16_t>(row.result),
                          static_cast<std::uint8_t>(row.rule), static_cast<std::uint8_t>(row.head)});
    }
    pair_start_.push_back(static_cast<std::uint32_t>(rules_.size()));
    left_pair_.resize(pairs.size());
    std::iota(left_pair_.begin(), left_pair_.end(), 0);
    std::sort(left_pair_.begin(), left_pair_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(pairs[a].second, pairs[a].first) < std::pair(pairs[b].second, pairs[b].first);
    });
    right_summary_.assign(categories_, 0);
    left_summary_.assign(categories_, 0);
    for (const auto& [left, right] : pairs) {
        right_summary_[left] |= std::uint64_t{1} << (right / 64 % 64);
        left_summary_[right] |= std::uint64_t{1} << (left / 64 % 64);
    }
    std::uint32_t rights = 0, lefts = 0;
    for (PartnerBits& word : right_bits_) word.first = rights, rights += std::popcount(word.bits);
    for (PartnerBits& word : left_bits_) word.first = lefts, lefts += std::popcount(word.bits);

    struct UnaryRow {
        std::int32_t child, result, rule;
    };
    std::vector<UnaryRow> unary_rows;
    std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> seen_unary;
    for (std::size_t i = 0; i < in.unary.size(); i += 3) {
        const UnaryRow row{in.unary[i], in.unary[i + 1], in.unary[i + 2]};
        check_range(row.child, categories_, "category");
        check_range(row.result, categories_, "category");
        check_range(row.rule, types_, "rule type");
        if (seen_unary.insert({row.child, row.result, row.rule}).second) unary_rows.push_back(row);
    }
    std::stable_sort(unary_rows.begin(), unary_rows.end(),
                     [](const UnaryRow& a, const UnaryRow& b) { return a.child < b.child; });
    unary_start_.assign(categories_ + 1, 0);
    unary_bits_.assign(words_of_bits_, 0);
    for (const UnaryRow& row : unary_rows) {
        unary_bits_[row.child / 64] |= std::uint64_t{1} << (row.child % 64);
        ++unary_start_[row.child + 1];
        unary_.push_back({static_cast<std::uint16_t>(row.result), static_cast<std::uint8_t>(row.rule)});
    }
    for (int c = 0; c < categories_; ++c) unary_start_[c + 1] += unary_start_[c];
}

int RuleTable::head_of(int left, int right, int result, int rule) const {
    const std::uint32_t pair = pair_of(left, right);
    if (pair == kNoPair) return -1;
    for (const BinaryEntry& entry : rules(pair))
        if (entry.result == result && entry.rule == rule) return entry.head;
    return -1;
}

}  // namespace starccg
