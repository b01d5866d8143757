// Modules that Triton 3.9.0 rejects, with its words. In tests/data/ir/rejected.txt each module
// follows a line `===== message`; the messages are the first lines of Triton's own.
#include "ir/Context.h"

#include <llvm/Support/MemoryBuffer.h>
#include <mlir/IR/Diagnostics.h>

#include <gtest/gtest.h>

namespace {

TEST(Reject, AsTriton) {
  auto context = gluond::ir::createContext();
  auto buffer = llvm::MemoryBuffer::getFile(GLUOND_SOURCE_DIR "/tests/data/ir/rejected.txt");
  ASSERT_TRUE(buffer);
  unsigned count = 0;
  llvm::StringRef rest = (*buffer)->getBuffer().split("\n===== ").second;
  while (!rest.empty()) {
    auto [item, after] = rest.split("\n===== ");
    rest = after;
    auto [expected, text] = item.split('\n');
    std::string message;
    mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic& diagnostic) {
      if (message.empty()) message = diagnostic.str();
    });
    EXPECT_FALSE(gluond::ir::parseModule(text, *context)) << text.str();
    EXPECT_EQ(llvm::StringRef(message).split('\n').first.str(), expected.str()) << text.str();
    ++count;
  }
  EXPECT_GT(count, 50u);
}

std::string problemWith(const std::string& text) {
  auto context = gluond::ir::createContext();
  std::string message;
  mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic& diagnostic) {
    if (message.empty()) message = diagnostic.str();
  });
  return gluond::ir::parseModule(text, *context) ? "" : message;
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(Reject, NestingWithoutEnd) {
  for (std::string open : {"module {", "module attributes {a = [", "#a = array<", "((((((("})
    EXPECT_EQ(problemWith(repeated(open, 100'000)), "brackets nest deeper than 500 levels") << open;
  EXPECT_EQ(
      problemWith("module attributes {tt.a = " + repeated("[", 300) + repeated("]", 300) + "} {}"),
      "");
  // Neither strings nor comments nest, and an arrow closes nothing.
  EXPECT_EQ(problemWith("module attributes {tt.a = \"" + repeated("[", 1000) + "\"} {} // " +
                        repeated("{", 1000)),
            "");
}

TEST(Reject, Bytecode) {
  std::string problem = "it is MLIR bytecode, and IR is read as text";
  EXPECT_EQ(problemWith("ML\xEFR"), problem);
  EXPECT_EQ(problemWith("ML\xEFR\rMLIR22" + std::string(1000, '\xFF')), problem);
}

TEST(Reject, NumbersWithoutEnd) {
  EXPECT_EQ(problemWith("module attributes {tt.a = " + std::string(100'000, '9') + "} {}"),
            "a number has more than 4000 digits");
}

TEST(Reject, FunctionsThatCallThemselves) {
  auto function = [](const std::string& name, const std::string& callee) {
    return "tt.func private @" + name + "() attributes {noinline = true} {\n" +
           (callee.empty() ? "" : "tt.call @" + callee + "() : () -> ()\n") + "tt.return\n}\n";
  };
  EXPECT_EQ(problemWith("module {\n" + function("a", "a") + "}"),
            "function 'a' calls itself, which no kernel may");
  EXPECT_EQ(problemWith("module {\n" + function("a", "b") + function("b", "c") +
                        function("c", "b") + "}"),
            "function 'b' calls itself, which no kernel may");
  EXPECT_EQ(
      problemWith("module {\n" + function("a", "b") + function("b", "") + function("c", "b") + "}"),
      "");
}

} // namespace
