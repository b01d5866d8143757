// The whole pipeline against Triton's: every recorded `source` gives the recorded `ttgir`, byte for
// byte.
#include "chips/Vendor.h"
#include "ir/Context.h"
#include "passes/Pipeline.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <mlir/IR/Diagnostics.h>

#include <gtest/gtest.h>

namespace gluond {
namespace {

std::string read(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

std::vector<std::string> sourcesUnder(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".source")) paths.push_back(it->path());
  llvm::sort(paths);
  return paths;
}

class Goldens : public testing::Test {
protected:
  // Runs every `source` under `folder` that has a `ttgir` beside it.
  void check(const std::string& folder) {
    auto context = ir::createContext();
    mlir::ScopedDiagnosticHandler quiet(context.get(),
                                        [](mlir::Diagnostic&) { return mlir::success(); });
    passes::PassResources resources(*context);
    unsigned same = 0, all = 0;
    for (const std::string& path : sourcesUnder(folder)) {
      std::string stem = path.substr(0, path.size() - strlen(".source"));
      if (!llvm::sys::fs::exists(stem + ".ttgir")) continue;
      ++all;
      std::string expected = read(stem + ".ttgir"), got = ttgir(read(path), *context, resources);
      if (got == expected)
        ++same;
      else
        ADD_FAILURE() << stem << "\n" << firstDifference(expected, got);
    }
    RecordProperty("cases", static_cast<int>(all));
    EXPECT_GT(all, 0u) << folder;
    std::cout << same << " of " << all << " identical under " << folder << "\n";
  }

private:
  static std::string ttgir(const std::string& source, mlir::MLIRContext& context,
                           const passes::PassResources& resources) {
    auto module = ir::parseModule(source, context);
    if (!module) return "the source does not parse";
    auto target = (*module)->getAttrOfType<mlir::StringAttr>("ttg.target");
    auto vendor = chips::vendorOf(target ? target.getValue() : "").value_or(chips::Vendor::Nvidia);
    auto result = passes::runPasses(*module, passes::gluonToTtgir(vendor), resources);
    if (!result) return result.error().pass.str() + ": " + result.error().message;
    return ir::printModule(*module);
  }

  static std::string firstDifference(llvm::StringRef expected, llvm::StringRef got) {
    unsigned line = 1;
    while (!expected.empty() || !got.empty()) {
      auto [e, restExpected] = expected.split('\n');
      auto [g, restGot] = got.split('\n');
      if (e != g)
        return ("line " + llvm::Twine(line) + "\n  Triton: " + e + "\n  gluond: " + g).str();
      expected = restExpected, got = restGot;
      ++line;
    }
    return "the end of the file";
  }
};

TEST_F(Goldens, Corpus) {
  std::string folder = GLUOND_SHARED_DIR "/corpus/golden";
  if (!llvm::sys::fs::exists(folder)) GTEST_SKIP() << "no " << folder;
  check(folder);
}

// Our own kernels and IR: tests/data/passes, recorded by scripts/oracle/record_goldens.py and
// scripts/oracle/record_passes.py.
TEST_F(Goldens, Own) {
  check(GLUOND_SOURCE_DIR "/tests/data/passes");
}

} // namespace
} // namespace gluond
