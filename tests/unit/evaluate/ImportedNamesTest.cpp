// `from module import *`: which names it takes, and what it costs in chains of files that hand
// names on.
#include "LaunchProgram.h"
#include "support/ThreadClock.h"

namespace gluond::evaluate {
namespace {

using testing::ElementsAre;

constexpr const char* beginning = "from triton.experimental import gluon\n";

// A file that begins as the one that it imports has its names at once; another one takes them one
// by one.
class StarImports : public testing::TestWithParam<const char*> {};

TEST_P(StarImports, TakeWhatIsPublic) {
  std::string importing = GetParam();
  LaunchProgram program(
      "from given import *\n"
      "kernel[(1,)](torch.empty(8), own)\n"
      "kernel[(1,)](torch.empty(8), other)\n"
      "kernel[(1,)](torch.empty(8), 3 if module == 'given' else 0)\n"
      "kernel[(1,)](torch.empty(8), 4 if hidden == 'its own' else 0)\n"
      "kernel[(1,)](torch.empty(8), 5 if not has_secret and not has_gone else 0)\n"
      "kernel[(1,)](torch.empty(8), 6 if order == ['later', 'first'] else 0)\n",
      {{"first",
        std::string(beginning) +
            "later = 0\n_secret = 1\n_hidden = 2\nfirst = 7\ngone = 8\ndel gone\nown = 9\n"},
       {"given", importing +
                     "_hidden = 'its own'\nown = 1\nfrom first import *\nown -= 8\nother = 2\n"
                     "module, hidden = __name__, _hidden\nhas_secret, has_gone = '_secret' in "
                     "globals(), 'gone' in globals()\n"
                     "order = [name for name in globals() if name in ('later', 'first')]\n"}});
  EXPECT_THAT(program.launches(), ElementsAre("1", "2", "3", "4", "5", "6"));
}

INSTANTIATE_TEST_SUITE_P(All, StarImports, testing::Values("", beginning, "later = 1\n"));

TEST(ImportedNames, ChainsOfStarImportsCostLittleForEachName) {
  auto nanoseconds = [](int count) {
    std::map<std::string, std::string> files;
    for (int i = 0; i < count; ++i)
      files["m" + std::to_string(i)] = std::string(beginning) + "from m" + std::to_string(i + 1) +
                                       " import *\nx" + std::to_string(i) + " = 1\n";
    int64_t began = threadNanoseconds();
    LaunchProgram program("from m0 import *\nkernel[(1,)](torch.empty(8), x" +
                              std::to_string(count - 1) + ")\n",
                          std::move(files));
    EXPECT_THAT(program.launches(), ElementsAre("1"));
    return threadNanoseconds() - began;
  };
  // Four times as many files have sixteen times as many names in all.
  EXPECT_LT(nanoseconds(320), 10 * nanoseconds(80));
}

} // namespace
} // namespace gluond::evaluate
