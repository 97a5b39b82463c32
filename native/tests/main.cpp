#include "check.hpp"

int main() {
    for (const Test* test : Test::all()) {
        test->run();
        std::printf("ok  %s\n", test->claim);
    }
}
