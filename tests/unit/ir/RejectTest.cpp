// What Triton 3.9.0 rejects, with its words. tests/data/ir/rejected.txt: modules, each behind a
// line
// `===== message`; the messages are the first lines of Triton's own.
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

} // namespace
