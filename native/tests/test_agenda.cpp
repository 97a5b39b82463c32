#include <algorithm>
#include <random>
#include <tuple>

#include "agenda.hpp"
#include "check.hpp"

using namespace starccg;

TEST(pops_come_by_priority_then_length_then_age) {
    std::mt19937 random(1);
    Agenda agenda;
    for (int round = 0; round < 200; ++round) {
        const int words = 1 + static_cast<int>(random() % 130);
        agenda.reset(words, 1000);
        std::vector<std::tuple<Score, int, std::uint32_t>> expected;  // larger is sooner
        Score head = 1000;
        std::uint32_t next = 0;
        std::uint32_t last = 0;
        for (int step = 0; step < 300; ++step) {
            if (random() % 3 || expected.empty()) {
                const Score priority = head - static_cast<Score>(random() % 5 * (random() % 40));
                const int length = 1 + static_cast<int>(random() % static_cast<unsigned>(words));
                const bool goes_back = step % 7 == 0 && last > 0 && round % 2;  // as a rescored item does
                const std::uint32_t item = goes_back ? last : ++next;
                if (goes_back) last = 0;
                agenda.push(priority, length, item);
                expected.emplace_back(priority, length, ~item);
            } else {
                const auto best = std::max_element(expected.begin(), expected.end());
                CHECK(agenda.head_priority() == std::get<0>(*best));
                last = agenda.pop();
                CHECK(last == ~std::get<2>(*best));
                head = std::get<0>(*best);
                expected.erase(best);
            }
            if (step % 50 == 49) {  // a closer bound for all that wait; some leave
                agenda.change([](std::uint32_t item) { return item % 11 == 0 ? kNone : -Score(item % 7); });
                for (auto& [priority, length, age] : expected) priority = ~age % 11 == 0 ? kNone : -Score(~age % 7);
                std::erase_if(expected, [](const auto& each) { return std::get<0>(each) == kNone; });
                head = -6;
            }
            CHECK(agenda.size() == expected.size());
        }
    }
}
