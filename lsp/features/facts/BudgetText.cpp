#include "lsp/features/facts/BudgetText.h"

#include "chips/Occupancy.h"
#include "support/Plural.h"

namespace gluond::lsp {

namespace {

std::string kilobytes(int64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  int64_t tenths = bytes * 10 / 1024;
  return std::to_string(tenths / 10) +
         (tenths % 10 && tenths < 1000 ? "." + std::to_string(tenths % 10) : "") + " KB";
}

// The most registers with which more waves run at a time on a SIMD, if that is a matter of few.
std::optional<int64_t> registersForMore(const driver::Assembled& code, const chips::Chip& chip) {
  constexpr int64_t few = 8; // one in so many
  int64_t most =
      chips::registersOfProgram(chip, int64_t{code.wavesPerUnit + 1} * chips::partsOfUnit);
  bool isMore = most < code.registers && chips::warpsOfPart(chip, most) > code.wavesPerUnit;
  if (!isMore || (code.registers - most) * few > code.registers) return std::nullopt;
  return most;
}

} // namespace

std::string codeText(const driver::Assembled& code, const chips::Chip* chip) {
  bool isAmd = chip && chip->vendor() == chips::Vendor::Amd;
  std::string text = counted(code.registers, isAmd ? "VGPR" : "register");
  if (code.accumulatorRegisters)
    text += " (" + std::to_string(code.accumulatorRegisters) + " of them AGPRs)";
  if (code.scalarRegisters) text += ", " + counted(code.scalarRegisters, "SGPR");
  if (code.spillBytes) text += ", " + counted(code.spillBytes, "byte") + " of spilled registers";
  if (code.stackBytes)
    text += ", " + counted(code.stackBytes, "byte") + (isAmd ? " of scratch" : " of stack");
  if (!code.wavesPerUnit) return text;
  text += ", " + counted(code.wavesPerUnit, "wave") + " per SIMD";
  if (auto fewer = chip && chip->limits ? registersForMore(code, *chip) : std::nullopt)
    text += " (" + std::to_string(chips::warpsOfPart(*chip, *fewer)) + " with " +
            counted(*fewer, "VGPR") + ")";
  return text;
}

KernelBudget kernelBudget(const lints::Budget& estimated,
                          const std::optional<driver::Assembled>& code) {
  if (!code || !code->registers) return {estimated, std::nullopt};
  return {lints::withRegisters(estimated, code->registers), code};
}

std::string budgetText(const KernelBudget& found) {
  const lints::Budget& budget = found.budget;
  if (!budget.chip) return "";
  const chips::Limits& limits = *budget.chip->limits;
  bool isNvidia = budget.chip->vendor() == chips::Vendor::Nvidia;
  std::string text = (isNvidia ? "smem " : "LDS ") + kilobytes(budget.sharedBytes) + " of " +
                     kilobytes(limits.sharedPerProgram);
  if (limits.tensorColumns && budget.tensorColumns)
    text += ", TMEM " + std::to_string(budget.tensorColumns) + " of " +
            std::to_string(limits.tensorColumns) + " columns";
  if (found.code)
    text += ", " + codeText(*found.code, budget.chip);
  else if (budget.registers)
    text += ", ~" + std::to_string(budget.registers) + " of " +
            std::to_string(budget.registerLimit) + " registers";
  if (budget.programs > 0)
    text += ", " + std::to_string(budget.programs) +
            (budget.programs == 1 ? " program per " : " programs per ") + limits.unit.str() + " (" +
            budget.limitedBy.str() + ")";
  else
    text += ", does not fit (" + budget.limitedBy.str() + ")";
  return text;
}

std::string budgetOf(const driver::Kernel& kernel, const driver::Snapshot& snapshot,
                     driver::Worker& worker, CancellationToken token) {
  driver::Analyzer analyzer(snapshot, worker, token);
  auto result = analyzer.analyze(kernel.variants[kernel.selected]);
  if (!result || !result->budget) return "";
  return budgetText(
      kernelBudget(*result->budget, analyzer.codeAtHand(kernel.variants[kernel.selected])));
}

std::string costAt(const driver::Snapshot& snapshot,
                   const std::shared_ptr<const driver::File>& file, text::Offset offset,
                   driver::Worker& worker, CancellationToken token) {
  auto list = driver::kernelsOf(snapshot, file, token);
  if (!list) return "";
  llvm::StringRef text = file->text().text();
  driver::Analyzer analyzer(snapshot, worker, token);
  const driver::Kernel* around = list->at(offset);
  for (const driver::Kernel& kernel : list->kernels) {
    if (around && &kernel != around) continue;
    auto result = analyzer.analyze(kernel.variants[kernel.selected]);
    if (!result) return "";
    const driver::CostFact* best = nullptr;
    for (const driver::CostFact& cost : result->costs) {
      text::Range range = cost.place.range;
      if (cost.place.file != file->id() || !range.touches(offset)) continue;
      // In the name of the function, not among its arguments; of calls within calls the innermost.
      if (text.slice(range.begin, offset).contains('(')) continue;
      if (!best || range.end - range.begin < best->place.range.end - best->place.range.begin)
        best = &cost;
    }
    if (best) return best->text;
  }
  return "";
}

} // namespace gluond::lsp
