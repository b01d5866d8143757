// The table of memory accesses against what the dialects declare of the same operations.
#include "passes/analysis/MemoryAccess.h"

#include "ir/Context.h"
#include "passes/memory/BufferAccesses.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <mlir/IR/Diagnostics.h>

#include <gtest/gtest.h>

namespace gluond::passes {
namespace {

// "reads", "writes", "reads and writes"; empty if it does neither.
std::string text(bool isRead, bool isWritten) {
  return isRead ? (isWritten ? "reads and writes" : "reads") : isWritten ? "writes" : "";
}

std::string declared(mlir::Operation* op, mlir::Value buffer) {
  bool isRead = false, isWritten = false;
  for (auto [value, isWrite] : bufferAccessesOf(op))
    if (value == buffer) (isWrite ? isWritten : isRead) = true;
  return text(isRead, isWritten);
}

std::string tabled(const MemoryAccess& access) {
  if (access.kind == MemoryAccess::Kind::Shared) return text(access.isRead, access.isWritten);
  // A copy uses its buffer the other way round, and does not change one that it combines with
  // global memory.
  return access.isWritten ? "reads" : "writes";
}

TEST(MemoryAccess, SaysOfBuffersWhatTheDialectsDeclare) {
  auto context = ir::createContext();
  mlir::ScopedDiagnosticHandler quiet(context.get(),
                                      [](mlir::Diagnostic&) { return mlir::success(); });
  llvm::StringSet<> seen;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(GLUOND_SOURCE_DIR "/tests/data", error), end;
       it != end && !error; it.increment(error)) {
    if (!llvm::StringRef(it->path()).ends_with(".source")) continue;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(buffer) << it->path();
    auto module = ir::parseModule((*buffer)->getBuffer(), *context);
    if (!module) continue; // of an earlier release
    module->walk([&](mlir::Operation* op) {
      auto access = memoryAccessOf(op);
      if (!access || !access->memory) return;
      llvm::StringRef name = op->getName().getStringRef();
      if (seen.insert(name).second)
        EXPECT_EQ(tabled(*access), declared(op, access->memory)) << name.str();
    });
  }
  EXPECT_GE(seen.size(), 12u);
}

} // namespace
} // namespace gluond::passes
