// Reading launch records: what is well-formed, what is said about what is not.
#include "Records.h"
#include "TempFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* program = R"(from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from collections import namedtuple

Config = namedtuple("Config", ["rows", "kind"])
SCALE = gl.constexpr(2)


@gluon.jit
def kernel(x_ptr, n, K: gl.constexpr):
    gl.store(x_ptr, n * SCALE)


def make(step):
    @gluon.jit
    def inner(x_ptr, n):
        gl.store(x_ptr, n + step)
    return inner
)";

class LaunchRecords : public testing::Test {
protected:
  LaunchRecords() { folder.write("prog.py", program); }
  driver::LaunchRecordFile read(const std::string& text) {
    return driver::readLaunchRecords(text, folder.path("prog.launches.jsonl"));
  }
  // What resolving or generating the one record gives: the module, or the first problem.
  std::string outcome(const std::string& text) {
    auto file = read(text);
    if (!file.problems.empty()) return "problem: " + file.problems[0].message;
    auto result = records.generate(file.records.at(0));
    return result.ok ? result.text : "problem: " + result.problems.at(0);
  }
  static std::string record(const std::string& args, const std::string& more = "",
                            const std::string& kernel = "kernel", int line = 10) {
    return R"({"id":"a","file":"prog.py","kernel":")" + kernel + R"(","line":)" +
           std::to_string(line) + R"(,"target":"cuda:90","options":{"num_warps":4},"args":[)" +
           args + "]" + more + "}";
  }
  TempFolder folder;
  Records records;
};

constexpr const char* goodArgs =
    R"({"name":"x_ptr","type":"*i32","divisible_by":16},{"name":"n","type":"i32"},{"name":"K","type":"constexpr","value":)";

TEST_F(LaunchRecords, GivesTheModule) {
  std::string text = outcome(record(std::string(goodArgs) + "null}"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "tt.func public @kernel(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: i32)"));
}

TEST_F(LaunchRecords, EveryKindOfValueIsRead) {
  for (
      const char* value :
      {"1",
       "1.5",
       "true",
       "\"text\"",
       "[1, 2]",
       R"({"$tuple":[1,{"$dtype":"fp16"}]})",
       R"({"$float":"inf"})",
       R"({"$dict":[["a",1],[2,null]]})",
       R"({"$range":[0,4,1]})",
       R"({"$slice":[0,null,1]})",
       R"({"$constexpr":3})",
       R"({"$pointer":{"$dtype":"fp32"},"const":true})",
       R"({"$fn":"kernel"})",
       R"({"$class":"Config"})",
       R"({"$namedtuple":{"$class":"Config"},"fields":{"rows":1,"kind":"x"}})",
       R"({"$layout":"BlockedLayout","size_per_thread":[1],"threads_per_warp":[32],"warps_per_cta":[4],"order":[0],"cga_layout":[]})",
       R"({"$builtin":"triton.experimental.gluon.language._core.load"})",
       R"({"$module":"math"})",
       R"({"$fn":"sum","module":"triton.language.standard"})",
       R"({"$type":"distributed_type","element_ty":{"$dtype":"fp32"},"shape":[32],"layout":{"$layout":"AutoLayout"}})"})
    EXPECT_THAT(outcome(record(std::string(goodArgs) + value + "}")), HasSubstr("@kernel"))
        << value;
}

TEST_F(LaunchRecords, MalformedValuesAreNamed) {
  struct Row {
    const char *value, *problem;
  } rows[] = {{R"({"$dtype":"fp17"})", "'fp17' is not a dtype"},
              {R"({"$layout":"NoLayout"})", "'NoLayout' is not a layout class"},
              {R"({"$layout":"BlockedLayout","order":[0]})", "has no field 'size_per_thread'"},
              {R"({"$fn":"nothing"})", "prog.py has no 'nothing'"},
              {R"({"$fn":"f","file":"other.py"})", "there is no file"},
              {R"({"$what":1})", "'$what' is not a tag of launch records"},
              {R"({"plain":1})", "an object has no $ tag"},
              {R"({"$range":[1]})", "$range holds three items"},
              {R"({"$dict":[1]})", "$dict holds a list of pairs"}};
  for (const Row& row : rows)
    EXPECT_THAT(outcome(record(std::string(goodArgs) + row.value + "}")), HasSubstr(row.problem));
  std::string deep = std::string(2000, '[') + std::string(2000, ']');
  EXPECT_THAT(outcome(record(std::string(goodArgs) + deep + "}")), HasSubstr("nested too deeply"));
}

TEST_F(LaunchRecords, MalformedLinesAreNamed) {
  auto file =
      read("not json\n[1]\n\n{\"id\":3}\n" + record("") +
           "\n{\"id\":\"x\",\"file\":\"f\",\"kernel\":\"k\",\"target\":\"tpu:1\",\"args\":[]}");
  ASSERT_THAT(file.problems, SizeIs(4));
  EXPECT_EQ(file.problems[0].line, 1u);
  EXPECT_THAT(file.problems[0].message, HasSubstr("not JSON"));
  EXPECT_THAT(file.problems[2].message, HasSubstr("'id' is not a string"));
  EXPECT_THAT(file.problems[3].message, HasSubstr("not a target"));
  EXPECT_THAT(file.records, SizeIs(1));
}

TEST_F(LaunchRecords, WrongArgumentsAreNamed) {
  EXPECT_THAT(outcome(record("")), HasSubstr("has 0 arguments, but 'kernel' has 3 parameters"));
  EXPECT_THAT(
      outcome(record(
          R"({"name":"x_ptr","type":"*i32"},{"name":"m","type":"i32"},{"name":"K","type":"i32"})")),
      HasSubstr("no parameter 'm'"));
  EXPECT_THAT(
      outcome(record(
          R"({"name":"x_ptr","type":"*i99"},{"name":"n","type":"i32"},{"name":"K","type":"i32"})")),
      HasSubstr("'*i99' is not a type"));
  EXPECT_THAT(outcome(record("", "", "missing")), HasSubstr("prog.py has no 'missing'"));
  EXPECT_THAT(outcome(record("", "", "Config", 1)), HasSubstr("is not a kernel"));
}

TEST_F(LaunchRecords, NestedKernelsGetTheirClosure) {
  std::string args = R"({"name":"x_ptr","type":"*i32"},{"name":"n","type":"i32"})";
  std::string text =
      outcome(record(args, R"(,"closure":{"step":{"$constexpr":40}})", "make.<locals>.inner", 16));
  EXPECT_THAT(text, HasSubstr("@inner("));
  EXPECT_THAT(text, HasSubstr("arith.constant 40 : i32"));
}

TEST_F(LaunchRecords, RecordedGlobalsWin) {
  std::string text =
      outcome(record(std::string(goodArgs) + "1}", R"(,"globals":{"prog:SCALE":77})"));
  EXPECT_THAT(text, HasSubstr("arith.constant 77 : i32"));
}

} // namespace
} // namespace gluond::test
