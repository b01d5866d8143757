#include "gluond-amdgpu/Schedules.h"

#include "backend/Analyses.h"
#include "backend/CodeGeneration.h"
#include "backend/amd/GluondAmdgpu.h"
#include "chips/Occupancy.h"
#include "chips/Vendor.h"
#include "gluond-amdgpu/passes/registers/Recomputation.h"

#include <llvm/Transforms/Utils/Cloning.h>

namespace gluond::amdgpu {

namespace {

constexpr llvm::StringLiteral attribute = "amdgpu-sched-strategy";
constexpr llvm::StringLiteral byRegisters = "iterative-maxocc";

// Of a kernel that is generated twice: of larger ones, each time takes seconds.
constexpr size_t mostInstructions = 6000;

// A text of assembly, and what counts of it.
struct Candidate {
  std::string text;
  backend::amd::Resources resources;
  int64_t warps = 0;
  size_t instructions = 0;
};

size_t instructionsOf(llvm::StringRef text) {
  size_t count = 0;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    count += line.size() > 1 && line[0] == '\t' && llvm::isAlpha(line[1]);
  return count;
}

Candidate candidate(std::string text, const chips::Chip& chip) {
  Candidate made{std::move(text), {}};
  made.resources = backend::amd::resourcesOf(made.text);
  if (chip.limits) made.warps = chips::warpsOfPart(chip, made.resources.vectorRegisters);
  made.instructions = instructionsOf(made.text);
  return made;
}

// Fewer spills, then more programs at once; as many with fewer registers if that costs next to no
// instructions.
bool isBetter(const Candidate& other, const Candidate& first) {
  auto spills = [](const Candidate& each) {
    return each.resources.scratchBytes + each.resources.vectorSpills;
  };
  if (spills(other) != spills(first)) return spills(other) < spills(first);
  if (other.warps != first.warps) return other.warps > first.warps;
  constexpr size_t part = 50, few = 4;
  return other.resources.vectorRegisters < first.resources.vectorRegisters &&
         other.instructions <= first.instructions + first.instructions / part + few;
}

bool multipliesMatrices(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    llvm::StringRef name = function.getName();
    return function.isIntrinsic() && name.consume_front("llvm.amdgcn.") &&
           (name.contains("mfma") || name.contains("wmma") || name.contains("mfmac"));
  });
}

tl::expected<Candidate, std::string> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                              const chips::Chip& chip, bool countsFirst) {
  if (countsFirst)
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) function.addFnAttr(attribute, byRegisters);
  auto text = backend::emitAssembly(module, machine, {});
  if (!text) return tl::make_unexpected(text.error());
  return candidate(std::move(*text), chip);
}

// The module with narrow values kept narrow; null where that makes no room for another program.
std::unique_ptr<llvm::Module> withNarrowValues(const llvm::Module& module,
                                               llvm::TargetMachine& machine,
                                               const chips::Chip& chip) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::PassBuilder builder(&machine);
  backend::Analyses analyses(builder);
  bool hasChanged = false;
  for (llvm::Function& function : *copy)
    if (!function.isDeclaration())
      hasChanged |= !NarrowValuesPass(chip).run(function, analyses.functions).areAllPreserved();
  return hasChanged ? std::move(copy) : nullptr;
}

} // namespace

tl::expected<std::string, std::string>
assemblyInBestOrder(llvm::Module& module, llvm::TargetMachine& machine, const chips::Chip& chip) {
  if (!chip.limits || llvm::any_of(module, [](const llvm::Function& function) {
        return function.hasFnAttribute(attribute);
      }))
    return backend::emitAssembly(module, machine, {});
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  bool countsFirst = generation <= Cdna4 && !multipliesMatrices(module);
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  auto best = generate(module, machine, chip, countsFirst);
  if (!best) return tl::make_unexpected(best.error());
  int64_t most = chips::warpsOfPart(chip, 1);
  if (best->warps == most || best->instructions > mostInstructions) return best->text;
  auto take = [&](tl::expected<Candidate, std::string> other) {
    bool isTaken = other && isBetter(*other, *best);
    if (isTaken) best = std::move(other);
    return isTaken;
  };
  std::unique_ptr<llvm::Module> narrow = withNarrowValues(*copy, machine, chip);
  if (best->warps * 2 < most && take(generate(*copy, machine, chip, !countsFirst)))
    countsFirst = !countsFirst;
  if (narrow) take(generate(*narrow, machine, chip, countsFirst));
  return best->text;
}

} // namespace gluond::amdgpu
