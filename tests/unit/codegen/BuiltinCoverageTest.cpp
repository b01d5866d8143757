// A builtin is complete once a kernel that calls it shows that its IR is Triton's: every row with a
// rule, and every function that is written in Gluon itself, is called by a kernel below tests/data
// that has a golden. tests/data/rules is the place for one that is missing.
#include "Records.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>

#include <filesystem>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using language::Builtin;
using language::BuiltinKind;

// Rows that no kernel can call, and why.
const llvm::StringMap<std::string>& exempt() {
  static const llvm::StringMap<std::string> rows = {
      {"triton.language.core.extern_elementwise",
       "its table of types is a dict, which kernels cannot write: wrappers of libraries call it"}};
  return rows;
}

bool hasGolden(const std::string& folder, const std::string& id) {
  for (const char* end : {".ttgir", ".error"})
    if (std::filesystem::exists(folder + "/golden/" + id + end)) return true;
  return false;
}

// Adds the builtins that the kernels of a folder name, those that Triton rejects included.
void addCalled(const std::string& folder, llvm::DenseSet<const Builtin*>& called) {
  Records records;
  codegen::SourceOptions options;
  options.recordFacts = true;
  for (const auto& record : records.read(folder)) {
    if (!hasGolden(folder, record.id)) continue;
    Records::Result result = records.generate(record, options);
    ASSERT_TRUE(result.facts) << record.id;
    for (const codegen::TypeFact& type : result.facts->types)
      if (type.builtin) called.insert(type.builtin);
  }
}

std::string nameOf(const Builtin& row) {
  llvm::StringRef alias = row.where.split(' ').first;
  for (const language::BuiltinModule& module : language::builtinModules())
    if (module.alias == alias && !module.name.empty()) return (module.name + "." + row.name).str();
  return (alias + "." + row.name).str();
}

TEST(Builtins, EachIsCalledByAKernelWithAGolden) {
  llvm::DenseSet<const Builtin*> called;
  for (const char* folder : {"rules", "codegen", "passes/kernels", "samples"})
    addCalled(std::string(GLUOND_SOURCE_DIR "/tests/data/") + folder, called);
  for (const Builtin& row : language::builtins()) {
    bool isOperator = row.name.starts_with("__"); // x + y calls x.__add__
    if ((row.kind != BuiltinKind::Rule && row.kind != BuiltinKind::Prelude) || isOperator) continue;
    std::string name = nameOf(row);
    if (auto found = exempt().find(name); found != exempt().end())
      EXPECT_FALSE(called.contains(&row)) << name << " is called now, although " << found->second;
    else
      EXPECT_TRUE(called.contains(&row)) << "no kernel with a golden calls " << name;
  }
}

} // namespace
} // namespace gluond::test
