// A test is a function with a claim for a name; a failed check says where and ends the program.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Test {
    const char* claim;
    void (*run)();
    Test(const char* c, void (*r)()) : claim(c), run(r) { all().push_back(this); }
    static std::vector<Test*>& all() {
        static std::vector<Test*> tests;
        return tests;
    }
};

#define TEST(claim)                          \
    static void claim();                     \
    static const Test test_##claim(#claim, claim); \
    static void claim()

#define CHECK(x)                                                             \
    do {                                                                     \
        if (!(x)) {                                                          \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (false)
