// Small random grammars, sentences and weights, and the best score by plain enumeration.
#pragma once
#include <map>
#include <random>
#include <set>
#include <vector>

#include "search.hpp"

namespace starccg {

struct World {
    std::mt19937 random;
    RuleTable::Input input;
    std::vector<std::int32_t> tags, offsets;
    std::vector<float> log_probabilities, states;
    std::vector<float> weights[8];
    int cells = 5, embedding = 3, words;

    World(unsigned seed, int word_count, int categories = 6, int tags_per_word = 3) : random(seed), words(word_count) {
        input.categories = categories, input.lexical = categories;
        input.types = 4;
        for (int i = 0; i < categories * categories / 2; ++i)
            for (const int x : {below(categories), below(categories), below(categories), 1 + below(2), below(2)})
                input.binary.push_back(x);
        for (const int x : {0, 1, 3, 2, 3, 3}) input.unary.push_back(x);
        input.roots = {0, 1, 2};
        if (seed % 3 == 0) input.root_scores = {0, -0.5, -2};
        input.allowed.assign(16, ~0u);
        input.unary_allowed.assign(4, ~0u);
        if (seed % 2) input.allowed[1 * 4 + 2] = 1u << 1;  // a normal form: two classes and more
        // Every fourth grammar has no normal form and one class.
        const bool one_class = seed % 4 == 0;
        if (!one_class) input.unary_allowed[3] = 0;
        if (seed % 8 == 0) input.start_only = 1u << 2;
        input.max_unary_chain = 1;  // no unary rule feeds another
        // Else each type a class of its own, which is always right, if not the cheapest.
        for (int i = 0; i < 4; ++i) input.classes.push_back(one_class ? 0 : i);
        offsets.push_back(0);
        for (int word = 0; word < words; ++word) {
            std::set<int> chosen;
            while (static_cast<int>(chosen.size()) < tags_per_word) chosen.insert(below(categories));
            for (const int tag : chosen) tags.push_back(tag), log_probabilities.push_back(-0.25f * static_cast<float>(below(9)));
            offsets.push_back(static_cast<std::int32_t>(tags.size()));
        }
        const int d = cells, e = embedding, T = 4;
        fill(states, words * 4 * d);
        for (const auto& [which, size] : std::map<int, int>{{0, T * d * (4 * d + e)}, {1, T * d * (4 * d + e)},
                                                            {2, T * d * (3 * d + e)}, {3, T * d * (2 * d + e)},
                                                            {4, T * 4 * d}, {5, categories * e}, {6, 2 * d}, {7, d}})
            fill(weights[which], size);
    }

    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
    void fill(std::vector<float>& v, int size) {
        std::normal_distribution<float> normal(0, 0.7f);
        for (int i = 0; i < size; ++i) v.push_back(normal(random));
    }

    SentenceView sentence() const {
        return {words, tags.data(), log_probabilities.data(), offsets.data(), static_cast<long>(tags.size()), states.data(), cells};
    }

    TreeLstm::Input model() const {
        TreeLstm::Input in;
        in.types = 4, in.cells = cells, in.categories = input.categories, in.embedding = embedding;
        in.input_gate = weights[0].data(), in.forget_gate = weights[1].data(), in.output_gate = weights[2].data();
        in.candidate = weights[3].data(), in.biases = weights[4].data(), in.embeddings = weights[5].data();
        in.unary_left = weights[6].data(), in.output = weights[7].data();
        return in;
    }

    // The scores of all derivations of the sentence, supertag-factored, best first.
    std::vector<Score> all_scores(Score unary_cost) const {
        struct Sub {
            Score score;
            int category, rule;
        };
        std::map<std::pair<int, int>, std::vector<Sub>> chart;
        for (int length = 1; length <= words; ++length)
            for (int start = 0; start + length <= words; ++start) {
                std::vector<Sub>& cell = chart[{start, start + length}];
                if (length == 1)
                    for (int i = offsets[start]; i < offsets[start + 1]; ++i)
                        cell.push_back({to_grid(log_probabilities[i]), tags[i], kLexicon});
                for (int middle = start + 1; middle < start + length; ++middle)
                    for (const Sub& l : chart[{start, middle}])
                        for (const Sub& r : chart[{middle, start + length}]) {
                            std::set<std::pair<int, int>> seen;
                            for (std::size_t b = 0; b < input.binary.size(); b += 5)
                                if (input.binary[b] == l.category && input.binary[b + 1] == r.category &&
                                    (input.allowed[l.rule * 4 + r.rule] >> input.binary[b + 3] & 1) &&
                                    (start == 0 || !(input.start_only >> input.binary[b + 3] & 1)) &&
                                    seen.insert({input.binary[b + 2], input.binary[b + 3]}).second)
                                    cell.push_back({l.score + r.score, input.binary[b + 2], input.binary[b + 3]});
                        }
                const std::size_t without_unary = cell.size();
                for (std::size_t i = 0; i < without_unary; ++i)
                    for (std::size_t u = 0; u < input.unary.size(); u += 3)
                        if (input.unary[u] == cell[i].category)
                            cell.push_back({cell[i].score - unary_cost, input.unary[u + 1], input.unary[u + 2]});
            }
        std::vector<Score> scores;
        for (const Sub& sub : chart[{0, words}])
            if (sub.category <= 2)
                scores.push_back(sub.score + (input.root_scores.empty() ? 0 : to_grid(input.root_scores[sub.category])));
        std::sort(scores.rbegin(), scores.rend());
        return scores;
    }
};

}  // namespace starccg
