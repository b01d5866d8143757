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

// Of a kernel that is generated twice: of larger ones, each time takes seconds, and only those
// whose registers go to memory are. Where a program more is a matter of few registers there is one
// trial more, of smaller kernels.
constexpr size_t mostInstructions = 6000, mostForFewRegisters = 1500;

// What the back end does without, by LLVM's names: counting addresses up in loops, as offsets are
// immediate ones already, and moving computations to the blocks of their uses. Without them there
// are as few instructions or fewer, in loops too, and fewer waits.
constexpr llvm::StringRef without[] = {"Loop Strength Reduction", "machine-sink"};

// A text of assembly, and what counts of it.
struct Candidate {
  std::string text;
  backend::amd::Resources resources;
  int64_t warps = 0;
  bool runsFew = false;               // programs at once: less than half of what the chip can
  size_t instructions = 0, waits = 0; // waits for all that is under way
  size_t delays = 0;                  // of instructions that follow what they need too closely

  // A program that waits loses the time of so many instructions, unless others fill it. Delays are
  // shorter: they count where few others run.
  size_t cost() const {
    constexpr size_t ofWait = 14;
    return instructions + ofWait * waits + (runsFew ? delays : 0);
  }
};

// Whether the line waits until nothing of a kind is under way: "s_waitcnt vmcnt(3) lgkmcnt(0)",
// "s_wait_dscnt 0x0".
bool waitsForAll(llvm::StringRef line) {
  if (line.consume_front("s_waitcnt "))
    return line.contains("vmcnt(0)") || line.contains("lgkmcnt(0)");
  return line.starts_with("s_wait_loadcnt 0x0") || line.starts_with("s_wait_dscnt 0x0") ||
         line.starts_with("s_wait_loadcnt_dscnt 0x0");
}

Candidate candidate(std::string text, const chips::Chip& chip) {
  Candidate made{std::move(text), {}};
  made.resources = backend::amd::resourcesOf(made.text);
  if (chip.limits) made.warps = chips::warpsOfPart(chip, made.resources.vectorRegisters);
  made.runsFew = chip.limits && made.warps * 2 < chips::warpsOfPart(chip, 1);
  for (llvm::StringRef line : llvm::split(llvm::StringRef(made.text), '\n')) {
    if (line.size() < 2 || line[0] != '\t' || !llvm::isAlpha(line[1])) continue;
    ++made.instructions;
    made.waits += waitsForAll(line.drop_front());
    made.delays += line.drop_front().starts_with("s_delay_alu");
  }
  return made;
}

unsigned spillsOf(const Candidate& made) {
  return made.resources.scratchBytes + made.resources.vectorSpills;
}

// Fewer spills, then more programs at once, if they outweigh what each has more to do; as many with
// fewer registers if that costs next to nothing.
bool isBetter(const Candidate& other, const Candidate& first) {
  if (spillsOf(other) != spillsOf(first)) return spillsOf(other) < spillsOf(first);
  auto warps = [](const Candidate& each) { return static_cast<size_t>(each.warps); };
  if (other.warps != first.warps)
    return other.warps > first.warps && other.cost() * warps(first) <= first.cost() * warps(other);
  constexpr size_t part = 50, few = 4;
  return other.resources.vectorRegisters < first.resources.vectorRegisters &&
         other.waits <= first.waits &&
         other.instructions <= first.instructions + first.instructions / part + few;
}

bool multipliesMatrices(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    llvm::StringRef name = function.getName();
    return function.isIntrinsic() && name.consume_front("llvm.amdgcn.") &&
           (name.contains("mfma") || name.contains("wmma") || name.contains("mfmac"));
  });
}

// Whether the candidate is above the registers with which one more program runs at once by no more
// than one `part` of them.
bool isNear(const Candidate& made, const chips::Chip& chip, int64_t part) {
  int64_t most = chips::registersOfProgram(chip, (made.warps + 1) * chips::partsOfUnit);
  return made.resources.vectorRegisters <= most + most / part;
}

// LLVM's schedulers, by their names. The last one looks at nothing but registers.
constexpr llvm::StringLiteral usual = "", byRegisters = "iterative-maxocc",
                              fewestRegisters = "iterative-minreg";

// Of a module that backend::prepareForSelection() has changed.
tl::expected<Candidate, std::string> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                              const chips::Chip& chip, llvm::StringRef scheduler) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !scheduler.empty()) function.addFnAttr(attribute, scheduler);
  auto text = backend::emitPrepared(module, machine, {}, without);
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
  if (!chip.limits || says(attribute)) return backend::emitAssembly(module, machine, {}, without);
  bool isNumberChosen = says("amdgpu-waves-per-eu"); // of programs, by the launch
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  bool countsFirst = (generation <= Cdna4 || generation == Rdna4) && !multipliesMatrices(module);
  llvm::StringRef scheduler = countsFirst ? byRegisters : usual;
  std::unique_ptr<llvm::Module> unprepared = llvm::CloneModule(module);
  backend::prepareForSelection(module, machine, {}, without);
  std::unique_ptr<llvm::Module> chosen = llvm::CloneModule(module);
  auto best = generate(module, machine, chip, scheduler);
  if (!best) return tl::make_unexpected(best.error());
  int64_t most = chips::warpsOfPart(chip, 1);
  bool isLarge = best->instructions > mostInstructions;
  if (best->warps == most || (isLarge && !spillsOf(*best))) return best->text;
  auto isTaken = [&](const llvm::Module& from, llvm::StringRef another, bool mayCostMore = true) {
    auto other = generate(*llvm::CloneModule(from), machine, chip, another);
    if (!other || !isBetter(*other, *best)) return false;
    if (!mayCostMore && spillsOf(*other) && other->cost() > best->cost()) return false;
    best = std::move(other);
    scheduler = another;
    return true;
  };
  constexpr int64_t sixth = 6, twelfth = 12;
  if ((best->runsFew && spillsOf(*best)) || isNear(*best, chip, best->runsFew ? sixth : twelfth))
    isTaken(*chosen, countsFirst ? usual : byRegisters);
  auto mayAddProgram = [&] {
    return best->warps < most && best->instructions <= mostForFewRegisters && !isNumberChosen &&
           isNear(*best, chip, twelfth);
  };
  // Waits and instructions are worth it if nothing goes to memory any more.
  bool spills = spillsOf(*best) != 0;
  if (spills) isTaken(*chosen, fewestRegisters, /*mayCostMore=*/mayAddProgram());
  if (isLarge) return best->text;
  if (auto narrow = withNarrowValues(*unprepared, machine, chip)) {
    backend::prepareForSelection(*narrow, machine, {}, without);
    if (isTaken(*narrow, scheduler)) chosen = std::move(narrow);
  }
  if (!spills && mayAddProgram()) isTaken(*chosen, fewestRegisters);
  return best->text;
}

} // namespace gluond::amdgpu
