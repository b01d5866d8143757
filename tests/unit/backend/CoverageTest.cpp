// Every kernel of the goldens, ours and where it is there the corpus', that is for Ampere to
// Blackwell becomes PTX; and where there is a ptxas, it takes it.
#include "LoweredTtgir.h"
#include "backend/nvidia/Toolkit.h"
#include "chips/Chip.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

bool isCompiled(llvm::StringRef text) {
  static constexpr llvm::StringLiteral targets[] = {"\"cuda:80\"",  "\"cuda:86\"",  "\"cuda:89\"",
                                                    "\"cuda:90\"",  "\"cuda:100\"", "\"cuda:103\"",
                                                    "\"cuda:110\"", "\"cuda:120\"", "\"cuda:121\""};
  return llvm::any_of(targets, [&](llvm::StringRef target) { return text.contains(target); });
}

void check(const std::string& folder, size_t atLeast) {
  unsigned done = 0;
  llvm::StringSet<> assembled;
  bool assembles = !backend::nvidia::findTool("ptxas", {}).path.empty();
  for (const std::string& path : ttgirUnder(folder)) {
    std::string text = readText(path);
    if (!isCompiled(text)) continue;
    PtxOf result = ptxOf(text);
    // Named where they are said to users too (docs/targets.md).
    if (llvm::StringRef(result.problem).starts_with("gluond cannot compile") ||
        llvm::StringRef(result.problem).contains("device library"))
      continue;
    EXPECT_TRUE(result.problem.empty()) << path << ": " << result.problem;
    if (result.ptx.empty()) continue;
    ++done;
    // One specialization of each kernel: ptxas takes its time.
    llvm::StringRef stem = llvm::StringRef(path).rsplit(".cuda").first;
    if (!assembles || !assembled.insert(stem).second) continue;
    auto cubin =
        backend::nvidia::assemble(result.ptx, chips::findChip(result.target)->processor, {}, false);
    EXPECT_TRUE(cubin) << path << ": " << cubin.error();
  }
  EXPECT_GE(done, atLeast) << folder;
  std::cout << done << " kernels under " << folder
            << (assembles ? ", assembled" : "; no ptxas here") << "\n";
}

TEST(Coverage, OwnGoldens) {
  check(GLUOND_SOURCE_DIR "/tests/data", 60);
}

TEST(Coverage, Corpus) {
  if (!llvm::sys::fs::exists(GLUOND_SHARED_DIR "/corpus")) GTEST_SKIP() << "needs ../shared/corpus";
  check(GLUOND_SHARED_DIR "/corpus/golden", 130);
}

} // namespace
} // namespace gluond::test
