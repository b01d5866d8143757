// Every op of the dialects that a kernel's `ttgir` consists of has a handler for each vendor whose
// programs contain it, or a reason here why it needs none.
#include "ir/Context.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/IR/MLIRContext.h>

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace gluond::lowering {
namespace {

constexpr const char* plainTriton = "plain Triton's; Gluon's code generation makes none";
constexpr const char* earlierStages = "none is left in ttgir";
constexpr const char* laterStages = "made after ttgir";
constexpr const char* marks = "a mark for the debugger, which only the simulator gets";
constexpr const char* functions = "lowered before the operations in it";
constexpr const char* ofAnotherOp = "lowered with the operation that holds it";
constexpr const char* ofOtherVendor = "the other vendor's builtins make it";

enum class Of : uint8_t { Both, Nvidia, Amd };
struct Reason {
  const char* text;
  Of whom = Of::Both;
};

const std::map<std::string, Reason>& reasons() {
  static const std::map<std::string, Reason> all = {
      {"gluon.set_auto_layout", {earlierStages}},
      {"gluon.statement", {marks}},
      {"gluon.variable", {marks}},
      {"rocdl.s.barrier", {laterStages, Of::Amd}},
      {"rocdl.s.setprio", {laterStages, Of::Amd}},
      {"tt.descriptor_gather", {plainTriton}},
      {"tt.descriptor_load", {plainTriton}},
      {"tt.descriptor_reduce", {plainTriton}},
      {"tt.descriptor_scatter", {plainTriton}},
      {"tt.descriptor_store", {plainTriton}},
      {"tt.dot_scaled", {ofOtherVendor, Of::Nvidia}},
      {"tt.func", {functions}},
      {"tt.grid_dependency_launch_dependents", {ofOtherVendor, Of::Amd}},
      {"tt.grid_dependency_wait", {ofOtherVendor, Of::Amd}},
      {"tt.make_tensor_descriptor", {earlierStages, Of::Nvidia}},
      {"ttg.mask", {plainTriton}},
      {"ttg.mask.return", {plainTriton}},
      {"ttg.predicate_stage", {plainTriton}},
      {"ttg.warp_specialize.partitions", {ofAnotherOp}},
      {"ttng.clc_try_cancel_sync", {laterStages, Of::Nvidia}},
  };
  return all;
}

// Whether no handler is expected for the vendor's programs.
bool hasReason(const std::string& op, Of vendor) {
  auto reason = reasons().find(op);
  return reason != reasons().end() &&
         (reason->second.whom == Of::Both || reason->second.whom == vendor);
}

bool isOfNvidia(llvm::StringRef dialect) {
  return dialect == "ttng";
}
bool isOfAmd(llvm::StringRef dialect) {
  return llvm::is_contained({"amdg", "rocdl"}, dialect);
}
bool isOfBoth(llvm::StringRef dialect) {
  return llvm::is_contained({"tt", "ttg", "tti", "gluon"}, dialect);
}

TEST(Coverage, EveryOpIsLoweredOrHasAReason) {
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  size_t seen = 0;
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations()) {
    llvm::StringRef dialect = op.getDialectNamespace();
    bool isOfEach = isOfBoth(dialect);
    if (!isOfEach && !isOfNvidia(dialect) && !isOfAmd(dialect)) continue;
    ++seen;
    std::string name = op.getStringRef().str();
    if (isOfEach || isOfNvidia(dialect)) {
      EXPECT_NE(nvidia::handlers().contains(name), hasReason(name, Of::Nvidia))
          << name << " for NVIDIA";
    }
    if (isOfEach || isOfAmd(dialect)) {
      EXPECT_NE(amd::handlers().contains(name), hasReason(name, Of::Amd)) << name << " for AMD";
    }
  }
  EXPECT_GT(seen, 150u);
}

TEST(Coverage, ReasonsAreOfOpsThatExist) {
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  for (const auto& [name, reason] : reasons())
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(name, context.get())) << name;
}

} // namespace
} // namespace gluond::lowering
