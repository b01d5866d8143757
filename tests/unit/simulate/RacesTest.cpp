// What orders accesses: clocks, pieces of memory, schedules, and programs that meet.
#include "Kernel.h"

namespace gluond::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Clocks, KnowWhatTheyWereTold) {
  ordering::Clock a, b;
  a.tick(0);
  a.complete(3);
  b.tick(1);
  b.join(a);
  EXPECT_EQ(b.at(0), 1u);
  EXPECT_EQ(b.at(1), 1u);
  EXPECT_TRUE(b.isComplete(3));
  EXPECT_FALSE(b.isComplete(2));
}

TEST(Clocks, ForgetWhatNobodyAsksFor) {
  ordering::Clock a, b;
  a.complete(100);
  a.complete(5000);
  a.forgetBefore(4096);
  EXPECT_TRUE(a.isComplete(17)); // nobody asks
  EXPECT_TRUE(a.isComplete(5000));
  EXPECT_FALSE(a.isComplete(5001));
  b.complete(5001);
  b.join(a);
  EXPECT_TRUE(b.isComplete(5000));
  EXPECT_TRUE(b.isComplete(5001));
  EXPECT_FALSE(b.isComplete(5002));
  a.join(b);
  EXPECT_TRUE(a.isComplete(5001));
}

TEST(Pieces, ShareBytesOrNot) {
  Bytes even = Bytes::of(1, {{0, 4}, {8, 12}, {16, 20}}), odd = Bytes::of(1, {{12, 16}, {4, 8}});
  EXPECT_FALSE(overlaps(even, odd));
  EXPECT_TRUE(overlaps(even, Bytes::range(1, 6, 9)));
  EXPECT_EQ(common(even, Bytes::range(1, 6, 9)), (Bytes::Run{8, 9}));
  EXPECT_FALSE(overlaps(even, Bytes::range(2, 0, 20)));
  EXPECT_TRUE(covers(Bytes::range(1, 0, 20), even));
  EXPECT_FALSE(covers(even, Bytes::range(1, 8, 16)));
  EXPECT_TRUE(covers(even, Bytes::of(1, {{9, 10}, {16, 20}})));
  EXPECT_FALSE(covers(odd, even));
  // Neighbours are joined.
  EXPECT_EQ(Bytes::of(1, {{4, 8}, {0, 4}}).size(), 1u);
}

TEST(Schedules, AreNamed) {
  EXPECT_EQ(parseSchedule("random:17")->name.text(), "random:17");
  EXPECT_EQ(parseSchedule("earliest")->name.text(), "earliest");
  EXPECT_EQ(parseSchedule("explore:5")->explored, 5u);
  EXPECT_EQ(exploredSchedule(0).text(), "latest");
  EXPECT_EQ(exploredSchedule(1).text(), "earliest");
  EXPECT_EQ(exploredSchedule(4).text(), "random:3");
  for (const char* wrong : {"", "soon", "random:", "random:x", "explore:0", "explore:100001"})
    EXPECT_FALSE(parseSchedule(wrong)) << wrong;
}

// Two programs and one place.
constexpr const char* storeNumber = R"(
    %p = tt.get_program_id x : i32
    %q = tt.addptr %y, %p : !tt.ptr<i32>, i32
    tt.store %q, %p : !tt.ptr<i32>
    tt.store %y, VALUE : !tt.ptr<i32>)";

std::string storing(const char* value) {
  std::string text = storeNumber;
  return text.replace(text.find("VALUE"), 5, value);
}

TEST_F(KernelTest, ProgramsThatWriteDifferentValuesRace) {
  Outcome outcome =
      run("%y: !tt.ptr<i32>", storing("%p"), {tensor("y", std::vector<int32_t>(4))}, {4, 1, 1});
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_THAT(codes(outcome), testing::Each("run-program-race"));
  EXPECT_THAT(outcome.findings[0].message,
              HasSubstr("this access writes bytes 0 to 3 of 'y', which program (0, 0, 0) writes"));
}

TEST_F(KernelTest, AProgramAloneRacesWithNobody) {
  EXPECT_THAT(codes(run("%y: !tt.ptr<i32>", storing("%p"), {tensor("y", std::vector<int32_t>(4))},
                        {1, 1, 1})),
              ElementsAre());
}

TEST_F(KernelTest, OffsetsThatOverflow) {
  Outcome outcome = run("%y: !tt.ptr<i32>", R"(
    %c = arith.constant 65536 : i32
    %p = tt.get_program_id x : i32
    %s = arith.muli %p, %c : i32
    %o = arith.muli %s, %c : i32
    %q = tt.addptr %y, %o : !tt.ptr<i32>, i32
    %v = tt.load %q : !tt.ptr<i32>
    %h = arith.muli %c, %c : i32
    %z = arith.constant 3 : i32
    %m = arith.remsi %h, %z : i32
    %r = tt.addptr %y, %m : !tt.ptr<i32>, i32
    %w = tt.load %r : !tt.ptr<i32>)",
                        {tensor("y", std::vector<int32_t>(4))}, {2, 1, 1});
  // A hash that is taken modulo may wrap.
  ASSERT_THAT(codes(outcome), ElementsAre("run-address-overflow"));
  EXPECT_THAT(outcome.findings[0].message, HasSubstr("65536 and 65536 give 0"));
}

TEST_F(KernelTest, AddressesThatAreNotAligned) {
  Outcome outcome = run("%y: !tt.ptr<i32>", R"(
    %c = arith.constant 2 : i64
    %a = tt.ptr_to_int %y : !tt.ptr<i32> -> i64
    %b = arith.addi %a, %c : i64
    %q = tt.int_to_ptr %b : i64 -> !tt.ptr<i32>
    %v = tt.load %q : !tt.ptr<i32>)",
                        {tensor("y", std::vector<int32_t>(4))});
  ASSERT_THAT(codes(outcome), ElementsAre("run-misaligned"));
  EXPECT_THAT(outcome.findings[0].message,
              HasSubstr("this access reads byte 2 of 'y', which is not aligned to 4"));
}

} // namespace
} // namespace gluond::simulate
