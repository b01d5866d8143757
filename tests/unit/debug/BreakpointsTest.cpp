#include "debug/Breakpoints.h"

#include <gtest/gtest.h>

namespace gluond::debug {
namespace {

TEST(Breakpoints, HitCounts) {
  struct Row {
    const char* hits;
    uint64_t count;
    bool isHit;
  };
  for (const Row& row :
       {Row{"", 7, true}, Row{"3", 3, true}, Row{"3", 4, false}, Row{">= 3", 3, true},
        Row{">3", 3, false}, Row{"< 3", 2, true}, Row{"<=2", 3, false}, Row{"== 5", 5, true},
        Row{"= 5", 4, false}, Row{"% 4", 8, true}, Row{"%4", 9, false}, Row{"% 0", 3, false}})
    EXPECT_EQ(isHit(row.hits, row.count), row.isHit) << row.hits << " at " << row.count;
  for (const char* hits : {"often", "-1", "> ", "3 times", "99999999999999999999"})
    EXPECT_EQ(isHit(hits, 1), std::nullopt) << hits;
}

TEST(Breakpoints, MistakesAreTold) {
  auto mistake = [](const char* condition, const char* hits) {
    Breakpoint breakpoint;
    breakpoint.condition = condition;
    breakpoint.hits = hits;
    return mistakeIn(breakpoint);
  };
  for (const char* hits : {"", " ", "1", ">= 0", "> 0", "< 2", "% 3", "= 2"})
    EXPECT_EQ(mistake("x.y[3] > 0", hits), "") << hits;
  for (const char* hits : {"often", "% 0", "0", "== 0", "< 1", "< 0", "<= 0"})
    EXPECT_NE(mistake("", hits), "") << hits;
  EXPECT_EQ(mistake("start ==", ""),
            "The condition cannot be evaluated: 'start ==' is no Python expression.");
  EXPECT_EQ(mistake("start = 64", ""), "The condition cannot be evaluated: 'start = 64' is no "
                                       "Python expression; '==' compares.");
}

} // namespace
} // namespace gluond::debug
