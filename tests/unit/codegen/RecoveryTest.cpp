// Going on after a mistake: all independent ones are found, nothing follows from one, and nothing
// hangs.
#include "Records.h"
#include "TempFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Recovery : public testing::Test {
protected:
  // Compiles `kernel` of the program with x_ptr: *i32, n: i32 and whatever else is a constexpr 4.
  Records::Result compile(const std::string& body, const std::string& parameters = "x_ptr, n",
                          const codegen::SourceOptions& options = {}) {
    std::string text =
        "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as "
        "gl\n"
        "import unknown_module\n\n\n@gluon.jit\ndef callee(x):\n    return x + missing\n\n\n"
        "@gluon.jit\ndef endless(x, N: gl.constexpr):\n    return endless(x, N + 1)\n\n\n"
        "@gluon.jit\ndef again(x):\n    return again(x)\n\n\n"
        "@gluon.jit\ndef kernel(" +
        parameters + "):\n" + body;
    std::string name = "prog" + std::to_string(programs_++) + ".py";
    folder.write(name, text);
    std::string args = R"({"name":"x_ptr","type":"*i32"},{"name":"n","type":"i32"})";
    if (parameters.find('K') != std::string::npos)
      args += R"(,{"name":"K","type":"constexpr","value":4})";
    auto file = driver::readLaunchRecords(R"({"id":"a","file":")" + name +
                                              R"(","kernel":"kernel","target":"cuda:90","args":[)" +
                                              args + "]}",
                                          folder.path("prog.launches.jsonl"));
    return records.generate(file.records.at(0), options);
  }
  TempFolder folder;
  Records records;

private:
  int programs_ = 0;
};

TEST_F(Recovery, IndependentMistakesAreAllFound) {
  auto result =
      compile("    a = n + nothing\n    gl.store(x_ptr, a)\n    b = a * 2\n    for i in range(n):\n"
              "        gl.store(x_ptr, i, wrong=1)\n        c = other\n    gl.storee(x_ptr, n)\n");
  EXPECT_THAT(result.problems,
              ElementsAre(HasSubstr("'nothing' is not defined"), HasSubstr("wrong"),
                          HasSubstr("'other' is not defined"), HasSubstr("no attribute 'storee'")));
  EXPECT_FALSE(result.ok);
}

TEST_F(Recovery, NothingFollowsFromAMistake) {
  auto result = compile(
      "    a = nothing\n    b = a + 1\n    for i in range(b):\n        b += a\n    if a > b:\n"
      "        c = b\n    else:\n        c = 1\n    while c < 3:\n        c += a\n    "
      "gl.store(x_ptr, c)\n");
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("'nothing' is not defined")));
}

TEST_F(Recovery, AMistakeInACalleeIsReportedOnceWithItsCallers) {
  auto result = compile("    gl.store(x_ptr, callee(n))\n    gl.store(x_ptr, callee(n) + 1)\n    "
                        "gl.store(x_ptr, callee(2))\n");
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("8:16: undefined-name")));
  EXPECT_THAT(result.lines, ElementsAre(8u, 23u));
}

TEST_F(Recovery, WhatIsUnknownIsNoMistake) {
  auto result = compile("    if unknown_module.FLAG:\n        x = does_not_exist\n    else:\n      "
                        "  x = 1\n    gl.store(x_ptr, x)\n");
  EXPECT_FALSE(result.rejected) << testing::PrintToString(result.problems);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("incomplete")));
}

TEST_F(Recovery, EndlessThingsEnd) {
  codegen::SourceOptions options;
  options.steps = 100000;
  EXPECT_THAT(compile("    for i in gl.static_range(1 << 40):\n        gl.store(x_ptr, i)\n",
                      "x_ptr, n", options)
                  .problems,
              testing::Contains(HasSubstr("too many steps")));
  EXPECT_THAT(compile("    gl.store(x_ptr, endless(n, 0))\n").problems,
              testing::Contains(HasSubstr("nest too deeply")));
  EXPECT_THAT(compile("    gl.store(x_ptr, again(n))\n").problems,
              testing::Contains(HasSubstr("the recursion of 'again' does not end")));
  std::string sum = "n";
  for (int i = 0; i < 3000; ++i)
    sum += " + n";
  EXPECT_FALSE(compile("    gl.store(x_ptr, " + sum + ")\n").ok);
}

TEST_F(Recovery, HalfTypedCodeKeepsItsOtherMistakes) {
  auto result = compile("    a = gl.load(x_ptr +\n    gl.store(x_ptr, nothing)\n");
  EXPECT_FALSE(result.ok);
}

TEST_F(Recovery, FactsOfExpressions) {
  codegen::SourceOptions options;
  options.recordFacts = true;
  auto result = compile("    layout: gl.constexpr = gl.BlockedLayout([1], [32], [K], [0])\n"
                        "    x = gl.arange(0, 64, layout=layout)\n    gl.store(x_ptr + x, x * n)\n",
                        "x_ptr, n, K: gl.constexpr", options);
  ASSERT_TRUE(result.ok) << testing::PrintToString(result.problems);
  ASSERT_TRUE(result.facts);
  bool found = false;
  for (const auto& fact : result.facts->expressions) {
    const auto& type = result.facts->types[fact.type];
    if (type.kind != codegen::FactKind::Tensor) continue;
    found = true;
    EXPECT_EQ(type.dtype.empty(), false);
    EXPECT_EQ(type.shape.size(), 1u);
    EXPECT_EQ(type.shape[0], 64);
    EXPECT_THAT(type.layout, HasSubstr("BlockedLayout"));
  }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace gluond::test
