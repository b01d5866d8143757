// Going to any moment gives what the first run had there, memory included.
#include "debug/History.h"

#include "../simulate/Kernel.h"

#include <random>

namespace gluond::debug {
namespace {

using namespace simulate;

class HistoryTest : public KernelTest {
protected:
  // A loop that adds up in a register and writes each sum over the same tensor.
  void prepare(int turns, bool isParallel = false) {
    std::string text = R"(
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%out: !tt.ptr<i32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %mask = arith.constant 3000 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
      %t = arith.addi %s, %i : i32
      %at = arith.remsi %i, %mask : i32
      %p = tt.addptr %out, %at : !tt.ptr<i32>, i32
      tt.store %p, %t : !tt.ptr<i32>
      scf.yield %t : i32
    }
    tt.store %out, %sum : !tt.ptr<i32>
    tt.return
  }
})";
    module = ir::parseModule(text, *context);
    code = *translate(*module);
    setting = {{1, 1, 1}, {tensor("out", std::vector<int32_t>(3000)), i32(turns)}};
  }
  std::string fingerprint(const History& history) const {
    std::string text = std::to_string(history.now()) + ":";
    for (const Frame& frame : history.state().threads[0].frames) {
      text += std::to_string(frame.next);
      for (const Value& value : frame.registers)
        if (const auto* scalar = std::get_if<Scalar>(&value))
          text += "," + std::to_string(scalar->bits);
    }
    for (int32_t each : contents<int32_t>(0))
      text += " " + std::to_string(each);
    return text;
  }
  std::shared_ptr<const KernelCode> code;
  Setting setting;
  Schedule schedule;
};

TEST_F(HistoryTest, AnyMomentIsAsItWas) {
  prepare(200);
  for (size_t bytes : {size_t{1} << 30, size_t{1} << 12}) { // all checkpoints, and hardly any
    History history(*code, setting, memory, schedule, {0, 0, 0},
                    {bytes, std::chrono::hours(1), 37});
    std::vector<std::string> all{fingerprint(history)};
    while (!history.isFinished()) {
      history.forward();
      all.push_back(fingerprint(history));
    }
    if (bytes > (1 << 20)) EXPECT_GT(history.checkpoints(), 10u);
    std::mt19937 random(1);
    for (int i = 0; i < 400; ++i) {
      uint64_t moment = random() % all.size();
      ASSERT_TRUE(history.seek(moment));
      ASSERT_EQ(fingerprint(history), all[moment]) << "try " << i;
      for (int k = 0; k < 5 && !history.isFinished(); ++k) {
        history.forward();
        ASSERT_EQ(fingerprint(history), all[history.now()]);
      }
    }
    history.seek(UINT64_MAX);
    EXPECT_EQ(history.now() + 1, all.size());
    history.seek(0); // the next history begins with the same memory
  }
}

TEST_F(HistoryTest, GoesBackToTheLastOfMany) {
  prepare(100);
  History history(*code, setting, memory, schedule, {0, 0, 0},
                  {size_t{1} << 30, std::chrono::hours(1), 50});
  history.seek(UINT64_MAX);
  uint64_t end = history.now();
  auto isStore = [&] {
    const Instruction* done = history.done().instruction;
    return done && done->op->getName().getStringRef() == "tt.store";
  };
  size_t count = 0;
  uint64_t last = end;
  while (history.seekBack([] {}, isStore)) {
    ASSERT_LT(history.now(), last);
    ASSERT_TRUE(isStore());
    last = history.now();
    ++count;
  }
  EXPECT_EQ(count, 101u);
  EXPECT_EQ(history.now(), last); // where it was: there is no other
  EXPECT_FALSE(history.seekBack([] {}, [] { return false; }));
  EXPECT_EQ(history.now(), last);
}

TEST_F(HistoryTest, MemoryStaysInItsBounds) {
  prepare(20'000);
  constexpr size_t most = size_t{1} << 20;
  History history(*code, setting, memory, schedule, {0, 0, 0}, {most, std::chrono::hours(1), 16});
  history.seek(UINT64_MAX);
  EXPECT_GT(history.now(), 100'000u);
  EXPECT_LT(history.bytes(), most);
  EXPECT_GT(history.checkpoints(), 3u);
}

TEST_F(HistoryTest, ACancelledSearchStaysWhereItWas) {
  prepare(20'000);
  History history(*code, setting, memory, schedule, {0, 0, 0});
  history.seek(50'000);
  CancellationSource source;
  source.cancel();
  EXPECT_FALSE(history.seekBack([] {}, [] { return false; }, source.token()));
  EXPECT_EQ(history.now(), 50'000u);
}

} // namespace
} // namespace gluond::debug
