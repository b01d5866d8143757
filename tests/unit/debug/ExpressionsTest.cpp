// What users type while a program stands still, with CPython's answers.
#include "debug/Expressions.h"

#include "../simulate/Kernel.h"
#include "debug/Variables.h"

namespace gluond::debug {
namespace {

using namespace simulate;

class Expressions : public KernelTest {
protected:
  Expressions() {
    auto vector = std::make_shared<Tensor>(Element::I32, Shape{6});
    for (int32_t i = 0; i < 6; ++i)
      vector->as<int32_t>()[i] = i * i;
    auto matrix = std::make_shared<Tensor>(Element::F32, Shape{2, 3});
    for (int i = 0; i < 6; ++i)
      matrix->as<float>()[i] = static_cast<float>(i) + 0.5f;
    variables["v"] = {TensorRef(vector), {}, "int32[6]", {}};
    variables["m"] = {TensorRef(matrix), {}, "fp32[2, 3]", {}};
    variables["n"] = {Scalar{static_cast<uint32_t>(-7), Element::I32}, {}, "int32", {}};
    variables["big"] = {Scalar{0xffffffff, Element::I32}, {}, "uint32", {}};
    variables["SIZE"] = {{}, {}, "constexpr", "256"};
    Datum three{Scalar{3, Element::I64}, {}, "int64", {}},
        four{Scalar{4, Element::I64}, {}, "", {}};
    auto whole = [](std::vector<std::pair<std::string, Datum>> leaves) {
      return Datum{{}, {}, {}, {}, std::make_shared<Parts>(Parts{std::move(leaves)})};
    };
    variables["pair"] = whole({{"[0]", three}, {"[1]", four}});
    variables["state"] = whole(
        {{".top", variables["m"]}, {".count", three}, {".ends[0]", three}, {".ends[1].low", four}});
    variables["nothing"] = whole({});
  }
  std::string value(const std::string& text) {
    Schedule schedule;
    KernelCode code;
    code.functions.emplace_back();
    Setting setting;
    Machine machine(code, setting, memory, schedule);
    State state;
    Look look(machine, state);
    auto found = evaluate(text, look, [&](const std::string& name) {
      auto it = variables.find(name);
      return it == variables.end() ? std::nullopt : std::optional(it->second);
    });
    return found ? look.textOf(*found) : "error: " + found.error();
  }
  std::map<std::string, Datum> variables;
};

TEST_F(Expressions, Arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3"), "7");
  EXPECT_EQ(value("n // 2"), "-4");
  EXPECT_EQ(value("n % 3"), "2");
  EXPECT_EQ(value("7 / 2"), "3.5");
  EXPECT_EQ(value("2 ** 10"), "1024.0");
  EXPECT_EQ(value("(1 << 40) + SIZE"), "1099511628032");
  EXPECT_EQ(value("-n"), "7");
  EXPECT_EQ(value("~n & 5"), "4");
  EXPECT_EQ(value("0 < -n < 8 and SIZE == 256"), "True");
  EXPECT_EQ(value("1 if n > 0 else 2"), "2");
  EXPECT_EQ(value("not n"), "False");
  EXPECT_EQ(value("9007199254740993 == 9007199254740992"), "False"); // no double tells them apart
}

TEST_F(Expressions, ElementsKeepTheirType) {
  EXPECT_EQ(value("v[3]"), "9");
  EXPECT_EQ(value("v[-1]"), "25");
  EXPECT_EQ(value("v[1:5:2]"), "[1, 9]");
  EXPECT_EQ(value("v[4:2]"), "[]");
  EXPECT_EQ(value("m[1]"), "[3.5, 4.5, 5.5]");
  EXPECT_EQ(value("m[:, 1]"), "[1.5, 4.5]");
  EXPECT_EQ(value("m[None, 0].shape"), "[1, 3]");
  EXPECT_EQ(value("m.T[2]"), "[2.5, 5.5]");
  EXPECT_EQ(value("big"), "4294967295");
  EXPECT_EQ(value("pair[0] + state.count"), "6");
}

TEST_F(Expressions, PartsOfTuplesAndAggregates) {
  EXPECT_EQ(value("state.top[1, 2]"), "5.5");
  EXPECT_EQ(value("state.top[1, :]"), "[3.5, 4.5, 5.5]");
  EXPECT_EQ(value("state.top[:, None].shape"), "[2, 1, 3]");
  EXPECT_EQ(value("state.top.shape[1]"), "3");
  EXPECT_EQ(value("state.top / state.count > 1"), "[False, False, False, True, True, True]");
  EXPECT_EQ(value("(state).ends[-1].low"), "4");
  EXPECT_EQ(value("pair[state.count - 2]"), "4");
  EXPECT_EQ(value("len(pair) + len(state.ends)"), "4");
  EXPECT_EQ(value("pair"), "(3, 4)");
  EXPECT_EQ(value("state.ends"), "(3, (low=4))");
  EXPECT_EQ(value("state"), "(top=[0.5, 1.5, 2.5, 3.5, 4.5, 5.5], count=3, ends=(3, (low=4)))");
  EXPECT_EQ(value("nothing"), "()");
  EXPECT_EQ(value("state.bottom"),
            "error: there is no part 'bottom' of this: it has '.top', '.count', '.ends'");
  EXPECT_EQ(value("pair + 1"),
            "error: this is no number: it has the parts '[0]', '[1]'; choose one");
  EXPECT_EQ(value("pair[2]"), "error: index 2 is outside of 2 parts");
}

TEST_F(Expressions, LargestOfSeveralNumbers) {
  EXPECT_EQ(value("min(n, 2, 1.5)"), "-7.0");
  EXPECT_EQ(value("max(n, SIZE)"), "256");
  EXPECT_EQ(value("max(m, 1)"), "[2.5, 5.5]"); // an axis, as in Gluon
}

TEST_F(Expressions, WholeTensors) {
  EXPECT_EQ(value("v + m[0, 0]"), "[0.5, 1.5, 4.5, 9.5, 16.5, 25.5]");
  EXPECT_EQ(value("m + v[:3]"), "[0.5, 2.5, 6.5, 3.5, 5.5, 9.5]"); // broadcast along rows
  EXPECT_EQ(value("gl.sum(m, axis=0)"), "[4.0, 6.0, 8.0]");
  EXPECT_EQ(value("m.max(1)"), "[2.5, 5.5]");
  EXPECT_EQ(value("gl.argmax(v)"), "5");
  EXPECT_EQ(value("tl.abs(n)"), "7");
  EXPECT_EQ(value("gl.where(v > 3, v, 0)"), "[0, 0, 4, 9, 16, 25]");
  EXPECT_EQ(value("gl.cdiv(SIZE, 100)"), "3");
  EXPECT_EQ(value("any(v == 16)"), "True");
  EXPECT_EQ(value("gl.minimum(v, 4)"), "[0, 1, 4, 4, 4, 4]");
}

TEST_F(Expressions, MistakesAreToldInWords) {
  for (const char* text : {"nobody",
                           "v[6]",
                           "v[0, 0]",
                           "m + v",
                           "1 +",
                           "x = 3",
                           "v[",
                           "lambda: 1",
                           "n // 0",
                           "1 << 99",
                           "v.nothing",
                           "gl.nothing(v)",
                           "gl.sum(v, axis=3)",
                           "'text'",
                           "[v]",
                           "v[::0]",
                           "import os",
                           "gl.max()",
                           "n[0]",
                           "-9223372036854775808 // -1",
                           "f(*v)",
                           "v[1.5]",
                           ""})
    EXPECT_EQ(value(text).substr(0, 6), "error:") << text << " is " << value(text);
  EXPECT_EQ(value(std::string(300, '(') + "1" + std::string(300, ')')).substr(0, 6), "error:");
  EXPECT_EQ(value(std::string(10'000, '1')).substr(0, 6), "error:");
}

} // namespace
} // namespace gluond::debug
