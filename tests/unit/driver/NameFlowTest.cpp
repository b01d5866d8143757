// How names of interest flow through the statements of one file.
#include "driver/users/NameFlow.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

TEST(NameSet, holdsNumbers) {
  NameSet some, more;
  EXPECT_TRUE(some.empty());
  for (uint32_t name : {0u, 63u, 64u, 1000u}) {
    EXPECT_FALSE(some.contains(name));
    EXPECT_TRUE(some.insert(name));
    EXPECT_FALSE(some.insert(name));
    EXPECT_TRUE(some.contains(name));
  }
  EXPECT_FALSE(some.contains(1u));
  EXPECT_FALSE(some.contains(100'000u));
  more.insert(5);
  more.insert(64);
  std::vector<uint32_t> beside;
  some.forEachBeside(more, [&](uint32_t name) { beside.push_back(name); });
  EXPECT_EQ(beside, (std::vector<uint32_t>{0, 63, 1000}));
  more.insertAll(some);
  EXPECT_TRUE(more.contains(5) && more.contains(1000));
  EXPECT_FALSE(some.contains(5));
}

struct Flow {
  NamePool pool;
  std::shared_ptr<const NameScan> scan;
  NameFlow flow;
  explicit Flow(llvm::StringRef text)
      : scan(NameScan::of(text, nullptr)),
        flow(scan, std::make_shared<const MentionIndex>(*scan), pool) {}

  bool add(llvm::StringRef name, bool isMember = false) {
    Interest taken;
    (isMember ? taken.members : taken.names).insert(pool.number(name));
    return flow.add(taken);
  }
  std::string takeNew() {
    std::vector<std::string> names;
    flow.takeNew().names.forEach([&](uint32_t name) { names.push_back(pool.text(name).str()); });
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names)
      text += (text.empty() ? "" : " ") + name;
    return text;
  }
};

TEST(NameFlow, followsWhatStatementsMention) {
  Flow file("def run(x):\n    kernel[1](x)\n\nfast = run\nother = 3\ntable = {'k': fast}\n");
  EXPECT_FALSE(file.flow.isUsed());
  EXPECT_TRUE(file.add("kernel"));
  EXPECT_EQ(file.takeNew(), "fast kernel run table");
  EXPECT_FALSE(file.add("fast"));
  EXPECT_EQ(file.takeNew(), "");
  EXPECT_TRUE(file.add("other"));
  EXPECT_EQ(file.takeNew(), "other");
  EXPECT_TRUE(file.flow.hasName("table"));
  EXPECT_FALSE(file.flow.hasName("x"));
  EXPECT_TRUE(file.flow.uses(0));
}

TEST(NameFlow, membersAreOthersThanNames) {
  Flow file("a = module.kernel\nb = kernel\nc = getattr(module, 'kernel')\n");
  EXPECT_TRUE(file.add("kernel", true));
  EXPECT_EQ(file.takeNew(), "a c");
  EXPECT_TRUE(file.add("kernel"));
  EXPECT_EQ(file.takeNew(), "b kernel");
}

} // namespace
} // namespace gluond::driver
