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

constexpr llvm::StringLiteral attribute = "amdgpu-sched-strategy", limit = "amdgpu-num-vgpr";

// Of a kernel that is generated twice: of larger ones, each time takes seconds. Where a program
// more is a matter of few registers there are up to two trials more, of smaller kernels.
constexpr size_t mostInstructions = 6000, mostForFewRegisters = 1500;

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

// Fewer spills, then more programs at once, if they outweigh the instructions that each has more;
// as many with fewer registers if that costs next to no instructions.
bool isBetter(const Candidate& other, const Candidate& first) {
  auto spills = [](const Candidate& each) {
    return each.resources.scratchBytes + each.resources.vectorSpills;
  };
  if (spills(other) != spills(first)) return spills(other) < spills(first);
  auto warps = [](const Candidate& each) { return static_cast<size_t>(each.warps); };
  if (other.warps != first.warps)
    return other.warps > first.warps &&
           other.instructions * warps(first) <= first.instructions * warps(other);
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

// LLVM gives a thread of CDNA the limit's registers twice: once in each of the two files, of which
// the second one may be any part of all.
int64_t filesOf(const chips::Chip& chip) {
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  return generation == Cdna2 || generation == Cdna3 || generation == Cdna4 ? 2 : 1;
}

// The registers with which one more program runs at once than with the candidate's; none if the
// candidate is far above.
std::optional<int64_t> fewerRegisters(const Candidate& made, const chips::Chip& chip) {
  int64_t most = chips::registersOfProgram(chip, (made.warps + 1) * chips::partsOfUnit);
  constexpr int64_t part = 12;
  if (made.resources.vectorRegisters > most + most / part) return std::nullopt;
  return most;
}

// LLVM's schedulers, by their names. The last one looks at nothing but registers.
constexpr llvm::StringLiteral usual = "", byRegisters = "iterative-maxocc",
                              fewestRegisters = "iterative-minreg";

// How code is generated.
struct Way {
  llvm::StringRef scheduler = usual;
  std::optional<int64_t> most = {}; // vector registers
};

tl::expected<Candidate, std::string> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                              const chips::Chip& chip, Way way) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (!way.scheduler.empty()) function.addFnAttr(attribute, way.scheduler);
    if (way.most) function.addFnAttr(limit, std::to_string(*way.most / filesOf(chip)));
  }
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
  auto says = [&](llvm::StringRef name) {
    return llvm::any_of(module, [&](const llvm::Function& f) { return f.hasFnAttribute(name); });
  };
  if (!chip.limits || says(attribute)) return backend::emitAssembly(module, machine, {});
  bool isNumberChosen = says("amdgpu-waves-per-eu"); // of programs, by the launch
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  bool countsFirst = generation <= Cdna4 && !multipliesMatrices(module);
  Way way{.scheduler = countsFirst ? byRegisters : usual};
  std::unique_ptr<llvm::Module> chosen = llvm::CloneModule(module);
  auto best = generate(module, machine, chip, way);
  if (!best) return tl::make_unexpected(best.error());
  int64_t most = chips::warpsOfPart(chip, 1);
  if (best->warps == most || best->instructions > mostInstructions) return best->text;
  auto isTaken = [&](const llvm::Module& from, Way another) {
    auto other = generate(*llvm::CloneModule(from), machine, chip, another);
    if (!other || !isBetter(*other, *best)) return false;
    best = std::move(other);
    way = another;
    return true;
  };
  std::unique_ptr<llvm::Module> narrow = withNarrowValues(*chosen, machine, chip);
  if (best->warps * 2 < most) isTaken(*chosen, {.scheduler = countsFirst ? usual : byRegisters});
  if (narrow && isTaken(*narrow, way)) chosen = std::move(narrow);
  if (best->warps == most || best->instructions > mostForFewRegisters || isNumberChosen)
    return best->text;
  if (std::optional<int64_t> fewer = fewerRegisters(*best, chip))
    isTaken(*chosen, {.scheduler = way.scheduler, .most = fewer}) ||
        isTaken(*chosen, {.scheduler = fewestRegisters});
  return best->text;
}

} // namespace gluond::amdgpu
