// Every kernel of the goldens that is for NVIDIA, ours and the corpus' if it is there, becomes PTX;
// and a ptxas, if there is one, accepts it.
#include "LoweredTtgir.h"
#include "backend/nvidia/Toolkit.h"
#include "chips/Chip.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

bool isForNvidia(llvm::StringRef text) {
  return text.contains("\"cuda:");
}

// Kernels whose PTX ptxas refuses, Triton's as well.
struct Refused {
  llvm::StringLiteral name, why;
};
constexpr Refused refused[] = {
    {"memory.loads.cuda90", "cache modifiers that exclude each other"},
    {"more.tensor_memory.cuda100", "a load with a reduction, which sm_100 lacks"},
};
bool isRefused(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::stem(path);
  return llvm::any_of(refused, [&](const Refused& each) { return each.name == name; });
}

// Whether the ptxas of CUDA 13.0 knows the chip.
bool isAssembled(llvm::StringRef target) {
  return target != "cuda:70" && target != "cuda:72" && target != "cuda:101" && target != "cuda:107";
}

void check(const std::string& folder, size_t atLeast) {
  unsigned done = 0;
  llvm::StringSet<> assembled;
  bool assembles = !backend::nvidia::findTool("ptxas", {}).path.empty();
  for (const std::string& path : ttgirUnder(folder)) {
    std::string text = readText(path);
    if (!isForNvidia(text) || isRefused(path)) continue;
    PtxOf result = ptxOf(text);
    // Named where they are said to users too (docs/targets.md).
    if (llvm::StringRef(result.problem).contains("device library")) continue;
    EXPECT_TRUE(result.problem.empty()) << path << ": " << result.problem;
    if (result.ptx.empty()) continue;
    ++done;
    // One specialization of each kernel: ptxas takes its time.
    llvm::StringRef stem = llvm::StringRef(path).rsplit(".cuda").first;
    if (!assembles || !isAssembled(result.target) || !assembled.insert(stem).second) continue;
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
