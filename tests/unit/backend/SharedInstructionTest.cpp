// Panels and lints say by which instructions an access goes between registers and shared memory,
// and how many; the compiler decides. Both are asked here, for pairs of layouts of every kind.
#include "LoweredTtgir.h"
#include "ir/Context.h"
#include "ir/layouts/Layouts.h"
#include "layout/access/SharedAccess.h"

#include <gtest/gtest.h>
#include <map>
#include <regex>

namespace gluond::test {
namespace {

using namespace layout;

struct Access {
  Layout registers, shared;
  unsigned bits;
  bool isStore;
  unsigned capability;
};

constexpr int64_t side = 64;

std::string textOf(mlir::MLIRContext* context, const Access& access) {
  std::string registers, shared, text;
  llvm::raw_string_ostream(registers) << ir::fromLayout(context, access.registers);
  llvm::raw_string_ostream(shared) << ir::fromLayout(context, access.shared);
  std::string element = "i" + std::to_string(access.bits), pointer = "!tt.ptr<" + element + ">",
              shape = "64x64x", tensor = "tensor<" + shape + element + ", " + registers + ">",
              offsets = "tensor<" + shape + "i32, " + registers + ">",
              pointers = "tensor<" + shape + pointer + ", " + registers + ">",
              memory = "!ttg.memdesc<" + shape + element + ", " + shared +
                       ", #ttg.shared_memory, mutable>";
  llvm::raw_string_ostream out(text);
  out << "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = "
         "\"cuda:"
      << access.capability << "\", \"ttg.threads-per-warp\" = 32 : i32} {\n"
      << "tt.func public @k(%p: " << pointer << ") {\n";
  // Every element has its own address.
  for (auto [dim, name, one] : {std::tuple(1, "r", "64x1x"), {0, "c", "1x64x"}}) {
    std::string slice = "tensor<64xi32, #ttg.slice<{dim = " + std::to_string(dim) +
                        ", parent = " + registers + "}>>",
                column = "tensor<" + std::string(one) + "i32, " + registers + ">";
    out << "%" << name << "0 = tt.make_range {end = 64 : i32, start = 0 : i32} : " << slice << "\n%"
        << name << "1 = tt.expand_dims %" << name << "0 {axis = " << dim << " : i32} : " << slice
        << " -> " << column << "\n%" << name << "2 = arith.constant dense<" << (dim ? 64 : 1)
        << "> : " << column << "\n%" << name << "3 = arith.muli %" << name << "1, %" << name
        << "2 : " << column << "\n%" << name << "4 = tt.broadcast %" << name << "3 : " << column
        << " -> " << offsets << "\n";
  }
  out << "%o = arith.addi %r4, %c4 : " << offsets << "\n%s = tt.splat %p : " << pointer << " -> "
      << pointers << "\n%q = tt.addptr %s, %o : " << pointers << ", " << offsets
      << "\n%m = ttg.local_alloc : () -> " << memory << "\n";
  if (access.isStore)
    out << "%v = tt.load %q : " << pointers << "\nttg.local_store %v, %m : " << tensor << " -> "
        << memory;
  else
    out << "%v = ttg.local_load %m : " << memory << " -> " << tensor
        << "\ntt.store %q, %v : " << pointers;
  out << "\ntt.return\n}\n}\n";
  return text;
}

// The accesses to shared memory in PTX: how many of each kind and width, "ld.shared 16" in bytes of
// a lane.
std::map<std::string, int64_t> accessesOf(llvm::StringRef ptx) {
  std::map<std::string, int64_t> found;
  static const std::regex vector("(ld|st)[.]shared(?:[.]v([248]))?[.][a-z](8|16|32|64)[ \t]"),
      matrix("(ld|st)matrix[.]sync[.]aligned[.]m8n8[.](x[124])([.]trans)?");
  std::string text = ptx.str();
  for (std::sregex_iterator it(text.begin(), text.end(), vector), end; it != end; ++it) {
    int64_t count = (*it)[2].matched ? std::stoi((*it)[2]) : 1;
    ++found[(*it)[1].str() + ".shared " + std::to_string(count * std::stoi((*it)[3]) / 8)];
  }
  for (std::sregex_iterator it(text.begin(), text.end(), matrix), end; it != end; ++it)
    ++found[(*it)[1].str() + "matrix." + (*it)[2].str() + (*it)[3].str()];
  return found;
}

TEST(SharedInstructions, AreThoseOfTheCompiler) {
  Layout mma2 = *Layout::make(NvidiaMma{2, 0, {2, 2}, {}, {16, 8}}),
         mma3 = *Layout::make(NvidiaMma{3, 0, {4, 1}, {}, {16, 64, 16}});
  LinearLayout rows =
      LinearLayout::identityND(Dim::Offset, {side, side}, {1, 0}).transposeOuts(tensorDims(2)) *
      oneCta(2);
  std::vector<Layout> registers = {
      *Layout::make(Blocked{{1, 8}, {4, 8}, {4, 1}, {1, 0}, {}}),
      *Layout::make(Blocked{{1, 2}, {8, 4}, {4, 1}, {1, 0}, {}}),
      *Layout::make(Blocked{{8, 1}, {8, 4}, {1, 4}, {0, 1}, {}}),
      *Layout::make(Blocked{{2, 2}, {4, 8}, {2, 2}, {0, 1}, {}}),
      mma2,
      mma3,
      *Layout::make(DotOperand{0, mma2, 2}),
      *Layout::make(DotOperand{1, mma2, 2}),
      *Layout::make(DotOperand{0, mma2, 4}),
      *Layout::make(DotOperand{0, mma3, 2}),
  };
  std::vector<Layout> shared = {
      *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}}),
      *Layout::make(SwizzledShared{1, 1, 1, {0, 1}, {}}),
      *Layout::make(SwizzledShared{8, 1, 8, {1, 0}, {}}),
      *Layout::make(SwizzledShared{8, 2, 4, {0, 1}, {}}),
      *Layout::make(SwizzledShared{2, 1, 16, {1, 0}, {}}),
      *Layout::make(PaddedShared{{64}, {8}, rows}),
      *Layout::make(PaddedShared{{32}, {2}, rows}),
      *Layout::make(NvmmaShared{128, false, 16, false, oneCta(2)}),
      *Layout::make(NvmmaShared{64, true, 16, false, oneCta(2)}),
  };
  auto context = ir::createContext();
  unsigned matrices = 0, vectors = 0;
  for (const Layout& from : registers)
    for (const Layout& to : shared)
      for (unsigned bits : {8u, 16u, 32u})
        for (unsigned capability : {80u, 90u})
          for (bool isStore : {false, true}) {
            if (bits != 16 && (!to.is(LayoutKind::SwizzledShared) || capability < 90)) continue;
            Access access{from, to, bits, isStore, capability};
            layout::ShapeVector shape{side, side};
            auto told = countSharedTraffic(from, to, {shape, shape, bits}, isStore, 0,
                                           banksOf("cuda:" + std::to_string(capability)));
            if (!told) continue; // the layouts do not fit
            std::string text = textOf(context.get(), access);
            PtxOf made = ptxOf(text);
            ASSERT_FALSE(made.ptx.empty()) << made.problem << text;
            std::string kind = told->instruction;
            if (kind.find("matrix") == std::string::npos)
              kind += " " + std::to_string(told->elements * bits / 8);
            std::map<std::string, int64_t> all{{kind, told->instructions}},
                found = accessesOf(made.ptx);
            EXPECT_EQ(found, all) << text << made.ptx;
            ++(told->instruction.find("matrix") != std::string::npos ? matrices : vectors);
          }
  EXPECT_GT(matrices, 50u);
  EXPECT_GT(vectors, 100u);
}

} // namespace
} // namespace gluond::test
