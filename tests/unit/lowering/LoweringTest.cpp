// What all targets share of the lowering, with a target that only notes what it is asked for: warps
// of 32 threads and of 64, without PTX and without a GPU.
#include "lowering/Lowering.h"

#include "FakeTarget.h"
#include "ir/Context.h"
#include "lowering/Handlers.h"
#include "lowering/Scratch.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using namespace lowering;
using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;

using testing::IsEmpty;
using testing::Not;

// `#b` is a layout along one dimension, `#r` and `#c` are along the rows and the columns of two.
std::string module(unsigned warpSize, llvm::StringRef body, unsigned ctas = 1) {
  std::string lanes = std::to_string(warpSize), half = std::to_string(warpSize / 8),
              cga = ctas == 2 ? ", CGALayout = [[1]]" : "";
  return "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [" + lanes +
         "], warpsPerCTA = [4], order = [0]" + cga + "}>\n" +
         "#r = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, " + half +
         "], warpsPerCTA = [4, 1], order = [1, 0]}>\n" +
         "#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [" + half +
         ", 8], warpsPerCTA = [1, 4], order = [0, 1]}>\n" +
         "module attributes {\"ttg.num-ctas\" = " + std::to_string(ctas) +
         " : i32, \"ttg.num-warps\" = 4 : i32, \"ttg.threads-per-warp\" = " + lanes +
         " : i32} {\ntt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i1) {\n" +
         body.str() + "\ntt.return\n}\n}\n";
}

// The elements of 512 floats behind %p, under %mask, which is the same for all.
const std::string pointers = R"(
%range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>
%all = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>
%at = tt.addptr %all, %range : tensor<512x!tt.ptr<f32>, #b>, tensor<512xi32, #b>
%mask = tt.splat %m : i1 -> tensor<512xi1, #b>
)";

class LoweringTest : public testing::Test {
protected:
  // The kernel's module, which LLVM's verifier has seen; null where it cannot be compiled.
  llvm::Module* lower(const FakeTarget& target, const std::string& text) {
    auto context = ir::createContext();
    auto source = ir::parseModule(text, *context);
    if (!source) {
      ADD_FAILURE() << "no IR: " << text;
      return nullptr;
    }
    auto made = lowerToLLVM(*source, target, llvm_);
    if (!made) {
      why_ = made.error().message;
      return nullptr;
    }
    lowered_ = std::move(*made);
    std::string problem;
    llvm::raw_string_ostream out(problem);
    EXPECT_FALSE(llvm::verifyModule(*lowered_.module, &out)) << problem;
    return lowered_.module.get();
  }
  // Loads or stores of a memory, by its address space, as their types: "<4 x float>".
  template <class Access>
  std::vector<std::string> accesses(const llvm::Module& module, unsigned space) {
    std::vector<std::string> found;
    for (const llvm::Instruction& each : llvm::instructions(*module.getFunction("k")))
      if (auto* access = llvm::dyn_cast<Access>(&each);
          access && access->getPointerAddressSpace() == space) {
        std::string text;
        llvm::raw_string_ostream(text) << *llvm::getLoadStoreType(access);
        found.push_back(text);
      }
    return found;
  }
  static std::vector<std::string> only(const std::vector<std::string>& asked,
                                       llvm::StringRef what) {
    std::vector<std::string> found;
    for (const std::string& each : asked)
      if (llvm::StringRef(each).starts_with(what)) found.push_back(each);
    return found;
  }

  llvm::LLVMContext llvm_;
  Lowered lowered_;
  std::string why_;
};

TEST_F(LoweringTest, kernelIsDeclaredByItsTarget) {
  FakeTarget target({.warpSize = 64});
  llvm::Module* made = lower(target, module(64, ""));
  ASSERT_TRUE(made) << why_;
  EXPECT_EQ(made->getFunction("k")->getFnAttribute("fake.kernel").getValueAsString(),
            "2 arguments, 4 warps of 64");
  EXPECT_EQ(lowered_.facts.warps, 4u);
  EXPECT_EQ(made->getFunction("k")->arg_size(), 4u) << "two scratches after the arguments";
}

TEST_F(LoweringTest, descriptorsAreHeldAsTheTargetHoldsThem) {
  FakeTarget target({.warpSize = 32});
  llvm::Module* made = lower(target, R"(
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%d: !tt.tensordesc<64x64xf16, #s>) {
tt.return
}
})");
  ASSERT_TRUE(made) << why_;
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(made->getFunction("k")->getArg(0)->getType());
  ASSERT_TRUE(type);
  EXPECT_EQ(type->getNumElements(), 4u);
}

TEST_F(LoweringTest, lanesAndWarpsFollowFromTheWarpSize) {
  for (unsigned warpSize : {32u, 64u}) {
    FakeTarget target({.warpSize = warpSize});
    llvm::Module* made = lower(target, module(warpSize, pointers + R"(
%v = arith.sitofp %range : tensor<512xi32, #b> to tensor<512xf32, #b>
tt.store %at, %v : tensor<512x!tt.ptr<f32>, #b>)"));
    ASSERT_TRUE(made) << why_;
    std::string text;
    llvm::raw_string_ostream(text) << *made;
    std::string lanes = std::to_string(warpSize - 1), shift = warpSize == 64 ? "6" : "5";
    EXPECT_THAT(text, ContainsRegex("and i32 %[0-9]+, " + lanes)) << text;
    EXPECT_THAT(text, ContainsRegex("lshr i32 %[0-9]+, " + shift)) << text;
  }
}

// Rows of warps are added by the scalar unit; where warps go on as lanes began, the thread's number
// has both.
TEST_F(LoweringTest, scalarUnitsComputeTheRowsOfWarps) {
  const std::string layout = "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], "
                             "threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>}>>",
                    at = "tensor<4x!tt.ptr<f32>, " + layout, numbers = "tensor<4xi32, " + layout,
                    floats = "tensor<4xf32, " + layout,
                    rows = "%range = tt.make_range {end = 4 : i32, start = 0 : i32} : " + numbers +
                           "\n%v = arith.sitofp %range : " + numbers + " to " + floats +
                           "\n%all = tt.splat %p : !tt.ptr<f32> -> " + at +
                           "\n%at = tt.addptr %all, %range : " + at + ", " + numbers +
                           "\ntt.store %at, %v : " + at,
                    flat = pointers + R"(
%v = arith.sitofp %range : tensor<512xi32, #b> to tensor<512xf32, #b>
tt.store %at, %v : tensor<512x!tt.ptr<f32>, #b>)";
  auto isWarpUsed = [&](bool hasScalarUnit, const std::string& body) {
    FakeTarget target({.warpSize = 32, .hasScalarUnit = hasScalarUnit});
    llvm::Module* made = lower(target, module(32, body));
    return made && llvm::any_of(made->getFunction("fake.warp")->users(),
                                [](llvm::User* call) { return !call->use_empty(); });
  };
  EXPECT_TRUE(isWarpUsed(true, rows)) << why_;
  EXPECT_FALSE(isWarpUsed(false, rows));
  EXPECT_FALSE(isWarpUsed(true, flat));
}

TEST_F(LoweringTest, accessesWithoutMasksAreLlvmsOwn) {
  FakeTarget target({.warpSize = 64});
  llvm::Module* made = lower(target, module(64, pointers + R"(
%v = tt.load %at : tensor<512x!tt.ptr<f32>, #b>
tt.store %at, %v : tensor<512x!tt.ptr<f32>, #b>)"));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(accesses<llvm::LoadInst>(*made, globalSpace), ElementsAre("<4 x float>"));
  EXPECT_THAT(only(target.asked, "load"), IsEmpty());
}

TEST_F(LoweringTest, maskedAccessesAreAskedOfTheTargetAsWideAsTheyAre) {
  FakeTarget target({.warpSize = 32});
  llvm::Module* made = lower(target, module(32, pointers + R"(
%zero = arith.constant dense<0.0> : tensor<512xf32, #b>
%v = tt.load %at, %mask, %zero : tensor<512x!tt.ptr<f32>, #b>
tt.store %at, %v, %mask : tensor<512x!tt.ptr<f32>, #b>)"));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(only(target.asked, "load"), ElementsAre("load 4 x float masked, else 4"));
  EXPECT_THAT(only(target.asked, "store"), ElementsAre("store 4 x float masked"));
  EXPECT_THAT(accesses<llvm::LoadInst>(*made, globalSpace), IsEmpty());
}

// For each store, which of the loads gave what it stores.
std::vector<size_t> loadsOfStores(const llvm::Module& module) {
  std::vector<const llvm::Value*> loads;
  std::vector<size_t> found;
  for (const llvm::Instruction& each : llvm::instructions(*module.getFunction("k"))) {
    if (llvm::isa<llvm::LoadInst>(each)) loads.push_back(&each);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&each);
    if (!store) continue;
    const llvm::Value* value = store->getValueOperand();
    while (!llvm::isa<llvm::LoadInst>(value)) {
      auto* from = llvm::cast<llvm::Instruction>(value);
      value = from->getOperand(llvm::isa<llvm::InsertElementInst>(from) ? 1 : 0);
    }
    found.push_back(static_cast<size_t>(llvm::find(loads, value) - loads.begin()));
  }
  return found;
}

TEST_F(LoweringTest, whatATurnLoadsLastIsStoredFirstWhereLoadsAreDelayed) {
  const std::string turns = R"(
%range = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #b>
%all = tt.splat %p : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #b>
%at = tt.addptr %all, %range : tensor<2048x!tt.ptr<f32>, #b>, tensor<2048xi32, #b>
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%ten = arith.constant 10 : i32
)",
                    move = R"(
%v = tt.load %at : tensor<2048x!tt.ptr<f32>, #b>
tt.store %at, %v : tensor<2048x!tt.ptr<f32>, #b>)",
                    loop = "scf.for %i = %zero to %ten step %one : i32 {" + move + "\n}";
  FakeTarget delaying({.warpSize = 32, .delaysLoads = true}), other({.warpSize = 32});
  llvm::Module* made = lower(delaying, module(32, turns + loop));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(loadsOfStores(*made), ElementsAre(3, 0, 1, 2));
  made = lower(delaying, module(32, turns + move));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(loadsOfStores(*made), ElementsAre(0, 1, 2, 3));
  made = lower(other, module(32, turns + loop));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(loadsOfStores(*made), ElementsAre(0, 1, 2, 3));
  // Where each register that is stored waits for all of the turn's loads, no order lets a load
  // wait.
  const std::string sum = R"(
%v = tt.load %at : tensor<2048x!tt.ptr<f32>, #b>
%s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
^bb0(%x: f32, %y: f32):
  %z = arith.addf %x, %y : f32
  tt.reduce.return %z : f32
}) : (tensor<2048xf32, #b>) -> f32
%ss = tt.splat %s : f32 -> tensor<2048xf32, #b>
%w = arith.addf %v, %ss : tensor<2048xf32, #b>
tt.store %at, %w : tensor<2048x!tt.ptr<f32>, #b>)";
  made = lower(delaying,
               module(32, turns + "scf.for %i = %zero to %ten step %one : i32 {" + sum + "\n}"));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(loadsOfStores(*made), ElementsAre(0, 0, 1, 2, 3));
}

const std::string reduction = pointers + R"(
%v = tt.load %at : tensor<512x!tt.ptr<f32>, #b>
%n = arith.fptosi %v : tensor<512xf32, #b> to tensor<512xi32, #b>
%s = "tt.reduce"(%n) <{axis = 0 : i32}> ({
^bb0(%x: i32, %y: i32):
  %z = arith.addi %x, %y : i32
  tt.reduce.return %z : i32
}) : (tensor<512xi32, #b>) -> i32
%f = arith.sitofp %s : i32 to f32
tt.store %p, %f : !tt.ptr<f32>)";

TEST_F(LoweringTest, reductionGoesThroughAllLanesThenAllWarps) {
  FakeTarget target({.warpSize = 64});
  llvm::Module* made = lower(target, module(64, reduction));
  ASSERT_TRUE(made) << why_;
  // 512 elements, 4 in a thread: 128 threads have them all, so that two warps repeat the others'.
  EXPECT_THAT(only(target.asked, "shuffle_xor"),
              ElementsAre("shuffle_xor 32", "shuffle_xor 16", "shuffle_xor 8", "shuffle_xor 4",
                          "shuffle_xor 2", "shuffle_xor 1"));
  EXPECT_THAT(only(target.asked, "barrier"), ElementsAre("barrier"));
  EXPECT_THAT(accesses<llvm::StoreInst>(*made, sharedSpace), ElementsAre("i32"));
  EXPECT_THAT(accesses<llvm::LoadInst>(*made, sharedSpace), ElementsAre("<2 x i32>"));
  EXPECT_EQ(lowered_.facts.sharedBytes, 16);
}

TEST_F(LoweringTest, lanesCombineThePartsOfManyWarps) {
  FakeTarget target({.warpSize = 32});
  llvm::Module* made = lower(target, module(32, reduction));
  ASSERT_TRUE(made) << why_;
  // Five shuffles in a warp, then two among the parts of four warps, of which each lane loads one.
  EXPECT_THAT(only(target.asked, "shuffle_xor"),
              ElementsAre("shuffle_xor 16", "shuffle_xor 8", "shuffle_xor 4", "shuffle_xor 2",
                          "shuffle_xor 1", "shuffle_xor 2", "shuffle_xor 1"));
  EXPECT_THAT(accesses<llvm::LoadInst>(*made, sharedSpace), ElementsAre("i32"));
}

TEST_F(LoweringTest, anInstructionForTheWholeWarpTakesThePlaceOfShuffles) {
  FakeTarget target({.warpSize = 64});
  target.reducesWarps = true;
  ASSERT_TRUE(lower(target, module(64, reduction))) << why_;
  EXPECT_THAT(only(target.asked, "reduce_warp"), ElementsAre("reduce_warp arith.addi"));
  EXPECT_THAT(only(target.asked, "shuffle_xor"), IsEmpty());
}

// A thread that reads and writes its own elements waits for nobody, unless other warps hold them
// too: one of these could write before another has read.
TEST_F(LoweringTest, warpsThatHoldTheSameElementsMeetBetweenReadingAndWritingThem) {
  const std::string body = R"(
%at = tt.splat %p : !tt.ptr<f32> -> tensor<SIZEx!tt.ptr<f32>, #b>
%v = tt.load %at : tensor<SIZEx!tt.ptr<f32>, #b>
%buffer = ttg.local_alloc : () -> !ttg.memdesc<SIZExf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>
ttg.local_store %v, %buffer : tensor<SIZExf32, #b> -> !ttg.memdesc<SIZExf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>
%w = ttg.local_load %buffer : !ttg.memdesc<SIZExf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable> -> tensor<SIZExf32, #b>
%twice = arith.addf %w, %w : tensor<SIZExf32, #b>
ttg.local_store %twice, %buffer : tensor<SIZExf32, #b> -> !ttg.memdesc<SIZExf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>
)";
  for (auto [size, barriers] : {std::pair("512", 2u), std::pair("1024", 0u)}) {
    std::string text = body;
    for (size_t at = 0; (at = text.find("SIZE", at)) != std::string::npos;)
      text.replace(at, 4, size);
    FakeTarget target({.warpSize = 64});
    ASSERT_TRUE(lower(target, module(64, text))) << why_;
    EXPECT_EQ(only(target.asked, "barrier").size(), barriers) << size;
  }
}

TEST_F(LoweringTest, conversionBetweenWarpsMeetsBetweenStoresAndLoads) {
  FakeTarget target({.warpSize = 64});
  llvm::Module* made = lower(target, module(64, R"(
%r = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #r>
%v = tt.load %r : tensor<32x32x!tt.ptr<f32>, #r>
%w = ttg.convert_layout %v : tensor<32x32xf32, #r> -> tensor<32x32xf32, #c>
%c = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #c>
tt.store %c, %w : tensor<32x32x!tt.ptr<f32>, #c>)"));
  ASSERT_TRUE(made) << why_;
  EXPECT_THAT(accesses<llvm::StoreInst>(*made, sharedSpace), Not(IsEmpty()));
  EXPECT_THAT(accesses<llvm::LoadInst>(*made, sharedSpace), Not(IsEmpty()));
  EXPECT_THAT(only(target.asked, "barrier"), ElementsAre("barrier"));
  EXPECT_EQ(lowered_.facts.sharedBytes, 32 * 32 * 4);
  // All stores, the meeting, all loads.
  std::string order;
  for (const llvm::Instruction& each : llvm::instructions(*made->getFunction("k"))) {
    const auto* pointer = llvm::getLoadStorePointerOperand(&each);
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&each);
    char letter = call && call->getCalledFunction()->getName() == "fake.barrier" ? '|'
                  : pointer && pointer->getType()->getPointerAddressSpace() == sharedSpace
                      ? (llvm::isa<llvm::StoreInst>(each) ? 's' : 'l')
                      : 0;
    if (letter && (order.empty() || order.back() != letter)) order += letter;
  }
  EXPECT_EQ(order, "s|l");
}

TEST_F(LoweringTest, functionsOfFloatsAreTheTargets) {
  FakeTarget target({.warpSize = 32});
  ASSERT_TRUE(lower(target, module(32, R"(
%a = tt.load %p : !tt.ptr<f32>
%b = math.exp %a : f32
%c = arith.divf %b, %a : f32
%d = math.absf %c : f32
tt.store %p, %d : !tt.ptr<f32>)")))
      << why_;
  EXPECT_THAT(only(target.asked, "math"), ElementsAre("math math.exp", "math arith.divf"));
}

TEST_F(LoweringTest, atomicsAreTakenTogetherAsFarAsTheTargetDoes) {
  FakeTarget target({.warpSize = 64});
  ASSERT_TRUE(lower(target, module(64, pointers + R"(
%v = tt.load %at : tensor<512x!tt.ptr<f32>, #b>
%f = tt.load %p : !tt.ptr<f32>
%a = tt.atomic_rmw fadd, relaxed, gpu, %at, %v, %mask : (tensor<512x!tt.ptr<f32>, #b>, tensor<512xf32, #b>, tensor<512xi1, #b>) -> tensor<512xf32, #b>
%b = tt.atomic_rmw exch, relaxed, gpu, %p, %f : (!tt.ptr<f32>, f32) -> f32
tt.store %p, %b : !tt.ptr<f32>)")))
      << why_;
  EXPECT_THAT(
      only(target.asked, "atomic"),
      ElementsAre("atomic fadd x 2, no result", "atomic fadd x 2, no result", "atomic exch x 1"));
}

TEST_F(LoweringTest, whatTheChipLacksIsSaidInItsWords) {
  FakeTarget target({.warpSize = 32});
  target.hasClusters = false;
  EXPECT_FALSE(lower(target, module(32, reduction, 2)));
  EXPECT_EQ(why_, "a reduction across the CTAs of a cluster needs a chip with clusters");
  target.hasClusters = true;
  EXPECT_TRUE(lower(target, module(32, reduction, 2))) << why_;
  EXPECT_THAT(target.asked, Contains("cluster_barrier"));
}

TEST_F(LoweringTest, modulesForOtherWarpsAreRejected) {
  FakeTarget target({.warpSize = 64});
  EXPECT_FALSE(lower(target, module(32, "")));
  EXPECT_EQ(why_, "the module is for warps of 32 threads, but the target's have 64");
}

TEST_F(LoweringTest, aTargetHasOpsOfItsOwnAndItsOwnWayForOthers) {
  FakeTarget target({.warpSize = 32});
  ASSERT_TRUE(lower(target, module(32, "ttng.cluster_barrier\nttg.barrier local", 2))) << why_;
  EXPECT_THAT(only(target.asked, "fence"), testing::SizeIs(2));
  EXPECT_THAT(only(target.asked, "barrier"), IsEmpty());
  EXPECT_FALSE(lower(target, module(32, "ttng.fence_async_shared {bCluster = false}")));
  EXPECT_EQ(why_, "gluond cannot compile `ttng.fence_async_shared` for this target yet");
}

TEST_F(LoweringTest, rowsSayWhatScratchAnOpTakes) {
  auto context = ir::createContext();
  auto source = ir::parseModule(module(32, "ttg.barrier local"), *context);
  ASSERT_TRUE(source);
  FakeTarget target({.warpSize = 32});
  int64_t own = 0, shared = 0;
  source->walk([&](mlir::Operation* op) {
    own += scratchBytes(target.handlers(), op);
    shared += scratchBytes(sharedHandlers(), op);
  });
  EXPECT_EQ(own, 48);
  EXPECT_EQ(shared, 0);
}

} // namespace
} // namespace gluond::test
