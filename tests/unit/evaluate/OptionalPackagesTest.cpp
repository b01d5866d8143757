// Programs that can do without packages that are found nowhere: what they launch without them is
// found, and is not certain.
#include "LaunchProgram.h"

namespace gluond::evaluate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Program = LaunchProgram;

// A registry with an entry for a package that may be installed: what it chooses is not known.
const char* const registry = R"(
entries = {}
def register(name, rank):
    def decorate(function):
        entries[name] = (rank, function)
        return function
    return decorate
def choose():
    return sorted(entries.values(), key=lambda each: each[0])[0][1]
)";
const char* const choosing = R"(
from registry import register, choose
import backends

@register("own", 2)
def own():
    kernel[(1, )](torch.empty(16, device="cuda"), 2)

def test_chosen():
    choose()()
)";

TEST(OptionalPackagesTest, ChoosesAmongWhatIsThere) {
  EXPECT_THAT(Program(choosing, {{"registry", registry}, {"backends", R"(
from registry import register
try:
    from fast_gemm import gemm
except ImportError:
    gemm = None
if gemm is not None:
    @register("fast", 1)
    def fast():
        gemm()
)"}})
                  .launches(),
              ElementsAre("2?"));
}

TEST(OptionalPackagesTest, AModuleThatLacksAPackageIsLacking) {
  EXPECT_THAT(Program(choosing, {{"registry", registry},
                                 {"fast", "import fast_gemm\nfrom fast_gemm import gemm\n"},
                                 {"backends", R"(
from registry import register
try:
    from fast import gemm
except ImportError:
    gemm = None
try:
    import fast
except ImportError:
    fast = None
if gemm is not None or fast is not None:
    @register("fast", 1)
    def other():
        gemm()
)"}})
                  .launches(),
              ElementsAre("2?"));
}

TEST(OptionalPackagesTest, SpecsAreAskedFor) {
  EXPECT_THAT(Program(R"(
import importlib.util
HAS = importlib.util.find_spec("fast_gemm") is not None
kernel[(1, )](torch.empty(16, device="cuda"), 4 if HAS else 8)
assert importlib.util.find_spec("torch")
)")
                  .launches(),
              testing::Contains("8?"));
}

TEST(OptionalPackagesTest, BothOutcomesAreLaunches) {
  EXPECT_THAT(Program(R"(
try:
    import fast_gemm
    size = 4
except ImportError:
    size = 8
def test_it():
    kernel[(1, )](torch.empty(16, device="cuda"), size)
)")
                  .launches(),
              testing::Contains("8?"));
}

TEST(OptionalPackagesTest, WithoutOneEverythingIsAsBefore) {
  Program certain(R"(
import numpy, json
try:
    import math
except ImportError:
    math = None
def test_it():
    kernel[(1, )](torch.empty(16, device="cuda"), 2)
)");
  EXPECT_THAT(certain.launches(), ElementsAre("2"));
  // An import that nothing guards ends a program without the package: it is there.
  Program needed("import fast_gemm\nkernel[(1, )](torch.empty(16, device='cuda'), 2)\n");
  EXPECT_THAT(needed.launches(), ElementsAre("2"));
  // A test that needs the package is skipped without it, and launches with it.
  Program skipped(R"(
import pytest
def test_it():
    pytest.importorskip("fast_gemm")
    kernel[(1, )](torch.empty(16, device="cuda"), 2)
)");
  EXPECT_THAT(skipped.launches(), ElementsAre("2?"));
  // What it launches in both cases is certain, and told once.
  Program both(R"(
try:
    import fast_gemm
except ImportError:
    pass
kernel[(1, )](torch.empty(16, device="cuda"), 2)
)");
  EXPECT_THAT(both.launches(), ElementsAre("2"));
}

TEST(OptionalPackagesTest, ErrorsAreThoseOfTheRunThatKnowsNothing) {
  Program program(R"(
try:
    import fast_gemm
except ImportError:
    fast_gemm = None
if fast_gemm is None:
    raise ValueError("needs the package")
)");
  EXPECT_THAT(program.evaluation->errors(), IsEmpty());
}

} // namespace
} // namespace gluond::evaluate
