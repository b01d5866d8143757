// The tools ir and budget.
#include "chips/GpuModels.h"
#include "chips/Target.h"
#include "driver/analysis/Analysis.h"
#include "driver/benchmark/LaunchInputs.h"
#include "driver/inspect/PassTrace.h"
#include "driver/stages/Stages.h"
#include "lsp/features/facts/BudgetText.h"
#include "mcp/tools/Findings.h"
#include "support/Plural.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <set>

namespace gluond::mcp {

namespace {

struct IrParams : KernelParams {
  std::string stage;
  std::optional<std::string> pass;
  std::optional<uint32_t> cell, line, from, limit;
  static constexpr auto fields() {
    return std::tuple_cat(
        KernelParams::fields(),
        std::make_tuple(
            told("stage", &IrParams::stage,
                 "source, ttgir, llir, ptx, sass for NVIDIA; source, ttgir, llir, amdgcn, isa for "
                 "AMD."),
            told("pass", &IrParams::pass,
                 "With stage ttgir: the IR after this pass instead of the last one."),
            ordinal("cell", &IrParams::cell, cellHelp),
            ordinal("line", &IrParams::line,
                    "Only what this line of the file became, with the calls that led to it."),
            ordinal("from", &IrParams::from, "First line of the text to return, from 1."),
            told("limit", &IrParams::limit, "The most lines to return; 300 if left out.")));
  }
};
struct IrResult : Subject {
  std::string stage, text;
  uint32_t from = 1, lines = 0, omitted = 0;
  std::vector<std::string> stages;
  std::vector<FindingInfo> findings;
  std::optional<std::string> resources;
  static constexpr auto fields() {
    return std::tuple_cat(
        Subject::fields(),
        std::make_tuple(field("stage", &IrResult::stage), field("text", &IrResult::text),
                        told("resources", &IrResult::resources,
                             "Of machine code: registers, spills and, on AMD, waves per SIMD."),
                        told("from", &IrResult::from, "Number of the text's first line."),
                        told("lines", &IrResult::lines, "Of the whole text."),
                        told("omitted", &IrResult::omitted,
                             "Lines that were asked for and are beyond the limit."),
                        told("stages", &IrResult::stages, "What stage can be."),
                        told("findings", &IrResult::findings,
                             "Mistakes that keep the kernel from this stage.")));
  }
};

// The lines of the text that come from a line of the file, directly or through calls.
std::set<uint32_t> linesFrom(const driver::StageResult& stage, const driver::File& file,
                             text::Range wanted) {
  std::set<uint32_t> lines;
  auto isThere = [&](const diagnostics::Location& place) { return isIn(place, file, wanted); };
  for (const driver::LineOrigin& origin : stage.lines)
    if (isThere(origin.place) || llvm::any_of(origin.calls, isThere)) lines.insert(origin.line);
  return lines;
}

Answer<driver::StageResult> made(const IrParams& params, const driver::Variant& variant,
                                 const Context& context) {
  driver::Analyzer analyzer(*context.snapshot, context.worker, context.token);
  if (!params.pass) {
    auto stage = analyzer.stage(variant, params.stage, /*wantLines=*/true);
    if (!stage) return cancelled();
    return std::move(*stage);
  }
  if (params.stage != "ttgir") return fail("pass: passes are of stage ttgir");
  auto names = driver::passNames(variant);
  if (!llvm::is_contained(names, *params.pass))
    return fail("pass: '" + *params.pass + "' is none; choose one of " + llvm::join(names, ", "));
  auto trace = driver::tracePasses(analyzer, context.worker, variant, *params.pass);
  if (!trace) return cancelled();
  for (driver::PassStep& step : trace->steps)
    if (step.id == *params.pass) {
      trace->source.text = std::move(step.text);
      trace->source.lines = std::move(step.lines);
      return std::move(trace->source);
    }
  if (!trace->failed) return std::move(trace->source); // nothing ran
  return fail("'" + *trace->failed + "' fails before it: " + trace->failure);
}

Answer<IrResult> ir(const IrParams& params, const Context& context) {
  auto chosen = chooseKernel(params, context);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  const driver::Variant& variant = *chosen->variant;
  auto target = chips::Target::parse(variant.target);
  if (!target) return fail("'" + variant.target + "' is no target");
  IrResult result;
  static_cast<Subject&>(result) = subjectOf(variant);
  result.stage = params.stage;
  for (const driver::Stage& each : driver::stagesOf(*target))
    if (each.isText()) result.stages.push_back(each.id.str());
  if (!llvm::is_contained(result.stages, params.stage))
    return fail("stage: '" + params.stage + "' is none of " + variant.target + "; choose one of " +
                llvm::join(result.stages, ", "));
  auto stage = made(params, variant, context);
  if (!stage) return tl::unexpected(std::move(stage.error()));
  if (stage->text.empty() && !stage->unsupported.empty()) return fail(stage->unsupported);
  for (const diagnostics::Diagnostic& diagnostic : stage->diagnostics)
    if (result.findings.size() < 50)
      result.findings.push_back(encodeFinding({diagnostic, variant.kernel, variant.id}, context));

  if (stage->assembled) result.resources = lsp::codeText(*stage->assembled, variant.target);

  std::optional<std::set<uint32_t>> wanted;
  if (params.line) {
    auto file = findFile(params.file, context);
    if (!file) return tl::unexpected(std::move(file.error()));
    auto line = rangeOfLine(**file, params.cell, *params.line);
    if (!line) return tl::unexpected(std::move(line.error()));
    wanted = linesFrom(*stage, **file, *line);
  }
  constexpr size_t mostBytes = size_t{160} << 10;
  uint32_t limit = std::clamp<uint32_t>(params.limit.value_or(300), 0, 5000);
  uint32_t first = std::max(params.from.value_or(1), 1u), number = 0, taken = 0;
  for (llvm::StringRef rest = stage->text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    ++number;
    if (number < first || (wanted && !wanted->contains(number - 1))) continue;
    if (taken == limit || result.text.size() + line.size() > mostBytes) {
      ++result.omitted;
      continue;
    }
    if (taken++ == 0) result.from = number;
    result.text += line.str() + "\n";
  }
  result.lines = number;
  if (first > number && number > 0)
    return fail("from: the text has the lines 1 to " + std::to_string(number));
  return result;
}

struct BudgetResult : Subject {
  std::string summary;
  uint32_t warps = 0;
  int64_t sharedBytes = 0, registers = 0;
  bool isOfMachineCode = false;
  std::optional<int64_t> sharedLimit, registerLimit, tensorColumns, programs, programsWithoutShared,
      launched;
  std::optional<std::string> limitedBy;
  std::vector<std::string> notes;
  static constexpr auto fields() {
    return std::tuple_cat(
        Subject::fields(),
        std::make_tuple(
            told("summary", &BudgetResult::summary, "All of it in words."),
            told("warps", &BudgetResult::warps, "Of a program, with those of partitions."),
            field("sharedBytes", &BudgetResult::sharedBytes),
            told("sharedLimit", &BudgetResult::sharedLimit, "That one program can have."),
            told("registers", &BudgetResult::registers,
                 "Of a thread: estimated from the tensors that live at once, slightly low, or of "
                 "the machine code."),
            told("registersAreOfMachineCode", &BudgetResult::isOfMachineCode,
                 "The kernel was compiled before, by `ir` with the stage `isa` (AMD) or `sass`, "
                 "or by `run` or `benchmark`."),
            told("registerLimit", &BudgetResult::registerLimit, "Of a thread of this kernel."),
            told("tensorColumns", &BudgetResult::tensorColumns, "Columns of tensor memory."),
            told("programs", &BudgetResult::programs,
                 "That fit on one multiprocessor at once; 0 if the kernel does not fit."),
            told("limitedBy", &BudgetResult::limitedBy, "What keeps more programs off it."),
            told("programsWithoutShared", &BudgetResult::programsWithoutShared,
                 "That would fit if shared memory did not count."),
            told("launched", &BudgetResult::launched, "Programs of the launch's grid."),
            told("notes", &BudgetResult::notes, "What the launch leaves unused.")));
  }
};

std::optional<int64_t> programsOf(const driver::HostLaunch& launch) {
  if (!launch.grid) return std::nullopt;
  int64_t programs = 1;
  for (int64_t extent : *launch.grid)
    if (llvm::MulOverflow(programs, extent, programs)) return std::nullopt;
  return programs;
}

// How much of the usual GPU of the target the launch leaves idle.
void addIdleUnits(BudgetResult& result) {
  llvm::StringRef device = chips::usualDevice(result.target);
  int64_t units = chips::usualUnits(result.target);
  if (!result.launched || *result.launched >= units || device.empty()) return;
  int64_t idle = units - *result.launched;
  result.notes.push_back(
      "the launch has " + counted(*result.launched, "program") + ", and the " + device.str() +
      " has " + std::to_string(units) + " multiprocessors: " + std::to_string(idle) +
      (idle == 1 ? " does" : " do") +
      " nothing. Use smaller blocks, or divide the loop among several programs that add up their "
      "parts");
}

Answer<BudgetResult> budget(const KernelParams& params, const Context& context) {
  auto chosen = chooseKernel(params, context);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  driver::Analyzer analyzer(*context.snapshot, context.worker, context.token);
  auto analyzed = analyzer.analyze(*chosen->variant);
  if (!analyzed) return cancelled();
  if (!analyzed->budget) {
    auto made = analyzer.compile(*chosen->variant, "ttgir");
    if (!made) return cancelled();
    return fail(driver::whyNotCompiled(*context.snapshot, made->result));
  }
  lsp::KernelBudget known =
      lsp::kernelBudget(*analyzed->budget, analyzer.codeAtHand(*chosen->variant));
  const lints::Budget& found = known.budget;
  BudgetResult result;
  static_cast<Subject&>(result) = subjectOf(*chosen->variant);
  result.summary = lsp::budgetText(known);
  result.isOfMachineCode = known.code.has_value();
  result.warps = found.warps;
  result.sharedBytes = found.sharedBytes;
  result.registers = found.registers;
  if (found.tensorColumns) result.tensorColumns = found.tensorColumns;
  result.launched = programsOf(driver::hostLaunchOf(*chosen->variant, context.snapshot->names()));
  addIdleUnits(result);
  if (!found.chip) return result;
  result.sharedLimit = found.chip->limits->sharedPerProgram;
  result.registerLimit = found.registerLimit;
  result.programs = found.programs;
  result.programsWithoutShared = found.programsOtherwise;
  if (!found.limitedBy.empty()) result.limitedBy = found.limitedBy.str();
  return result;
}

} // namespace

Tool irTool() {
  return makeTool<ir>("ir", "Intermediate code",
                      "Shows what a kernel becomes at a stage of the compiler, all of it or what "
                      "one line of the file became.");
}

Tool budgetTool() {
  return makeTool<budget>("budget", "Resource budget",
                          "Tells how much shared memory, tensor memory and registers a kernel "
                          "uses, how many programs fit on a multiprocessor, and what limits them.");
}

} // namespace gluond::mcp
