// Our dialects have the ops of Triton's, all of them, and the marks for debuggers.
#include "ir/Context.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/MemoryBuffer.h>
#include <mlir/IR/OperationSupport.h>

#include <gtest/gtest.h>

namespace {

TEST(Ops, AreTritons) {
  auto context = gluond::ir::createContext();
  auto buffer = llvm::MemoryBuffer::getFile(GLUOND_SOURCE_DIR "/tests/data/ir/ops.txt");
  ASSERT_TRUE(buffer);
  llvm::StringSet<> names;
  for (llvm::StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    if (line.empty() || line.starts_with("#")) continue;
    auto [name, reason] = line.split(" - ");
    names.insert(name);
    EXPECT_EQ(mlir::RegisteredOperationName::lookup(name, context.get()).has_value(),
              reason.empty())
        << name.str();
  }
  EXPECT_GT(names.size(), 100u);
  for (const char* mark : {"gluon.statement", "gluon.variable"})
    EXPECT_TRUE(names.insert(mark).second) << mark;
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations())
    if (llvm::is_contained<llvm::StringRef>({"tt", "ttg", "ttng", "amdg", "gluon"},
                                            op.getDialectNamespace()))
      EXPECT_TRUE(names.contains(op.getStringRef())) << op.getStringRef().str();
}

} // namespace
