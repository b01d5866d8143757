#include "driver/analysis/Analysis.h"

#include "codegen/context/CodegenContext.h"
#include "codegen/context/Source.h"
#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"
#include "driver/analysis/ChosenLayouts.h"
#include "driver/analysis/LastFindings.h"
#include "driver/analysis/LintReport.h"
#include "driver/analysis/PrintedModule.h"
#include "driver/analysis/ResultCaches.h"
#include "driver/assumptions/AssumedLaunch.h"
#include "driver/assumptions/WarpsOfLayouts.h"
#include "driver/json/Json.h"
#include "driver/kernelfixes/LayoutArgument.h"
#include "driver/kernelfixes/LintFixes.h"
#include "driver/kernelfixes/OperandOrigins.h"
#include "driver/kernelfixes/ProductFixes.h"
#include "driver/launches/GivenTypes.h"
#include "driver/launches/ResolveVariant.h"
#include "driver/notebooks/SyntaxErrors.h"
#include "driver/program/FileWork.h"
#include "driver/program/OpPlaces.h"
#include "driver/stages/Compile.h"
#include "driver/stages/Stages.h"
#include "driver/workspace/FileLine.h"
#include "ir/Context.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/ReleaseInForce.h"
#include "language/types/Text.h"
#include "layout/named/Spelling.h"
#include "lints/Lints.h"
#include "lints/access/AccessFacts.h"
#include "passes/refusals/Refusals.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

#include <chrono>
#include <map>
#include <tuple>

namespace gluond::driver {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Returns why there is no IR of a kernel that has no error. Diagnostics tell the limits of gluond
// in a clause; all other reasons are things that gluond does not know.
std::string reasonOf(const codegen::GeneratedModule& generated) {
  bool isTold = llvm::any_of(generated.diagnostics, [](const diagnostics::Diagnostic& each) {
    return each.severity == diagnostics::Severity::Information;
  });
  return generated.incompleteBecause + (isTold ? "" : " is unknown");
}

// Adds the errors of a program's files, which are reported without a kernel, for a kernel whose
// code they leave out.
void addErrorsOfFiles(const EvaluatedFile& program,
                      std::vector<diagnostics::Diagnostic>& diagnostics) {
  auto add = [&](llvm::ArrayRef<diagnostics::Diagnostic> said) {
    llvm::copy_if(said, std::back_inserter(diagnostics), [](const diagnostics::Diagnostic& each) {
      return each.severity == diagnostics::Severity::Error;
    });
  };
  for (const EvaluatedFile::Part& part : program.parts())
    if (part.tree) add(syntaxErrors(*part.tree, part.file->path()));
  add(program.diagnostics());
}

// Reports the refusal of a pass at the user's place, with layouts as the user writes them.
void reportFailure(const passes::PassFailure& failure, const EvaluatedFile& program,
                   codegen::CodegenContext& context,
                   std::vector<diagnostics::Diagnostic>& diagnostics, std::string& unsupported) {
  using diagnostics::Id;
  if (failure.kind == passes::FailureKind::Cancelled) return; // reported by the code that stops it
  if (failure.kind == passes::FailureKind::Unsupported) {
    unsupported = failure.message;
    return;
  }
  PlaceReader places(program);
  OpPlace at = places.read(failure.location);
  diagnostics::Location location =
      at.innermost().value_or(diagnostics::Location{program.file().id(), {0, 0}});
  auto spelled = [&](mlir::Attribute encoding) {
    const language::LayoutObject* layout = encoding ? context.layoutOf(encoding) : nullptr;
    return layout ? language::repr(*layout) : std::string("another layout");
  };
  diagnostics::Reporter emit(diagnostics, location.file);
  auto report = [&] {
    switch (failure.kind) {
    case passes::FailureKind::LayoutConflict:
      return emit(Id::ConflictingAutoLayouts, location.range, spelled(failure.first),
                  spelled(failure.second));
    case passes::FailureKind::LayoutUndetermined:
      return emit(Id::UnresolvedAutoLayout, location.range);
    case passes::FailureKind::OtherTarget:
      return emit(Id::TargetTooOld, location.range, "this operation", failure.message,
                  program.target());
    default:
      return emit(Id::InvalidOperation, location.range, failure.message);
    }
  };
  diagnostics::Diagnostic* diagnostic = report().get();
  if (!diagnostic) return;
  if (failure.kind == passes::FailureKind::Invalid && failure.first && failure.second &&
      failure.first != failure.second) {
    auto suggestion = lints::Suggestion::replaceLayout(
        failure.location, ir::toLayout(failure.first), ir::toLayout(failure.second));
    LayoutExpressions layouts;
    if (auto fix = lintFix(suggestion, {location, {}, {}}, {}, program, layouts))
      diagnostic->fixes.push_back(std::move(*fix));
  }
  offerAccumulator(*diagnostic, program);
  if (failure.kind == passes::FailureKind::LayoutUndetermined)
    offerLayoutArgument(*diagnostic, program);
  for (const passes::FailureNote& note : failure.notes)
    if (auto place = places.read(note.location).innermost())
      diagnostic->related.push_back({*place, note.message});
  for (const diagnostics::Location& call : at.calls)
    if (call.file != location.file || call.range != location.range)
      diagnostic->related.push_back({call, diagnostics::note(diagnostics::NoteId::CalledFrom)});
  for (const passes::PassFailure& other : failure.others)
    reportFailure(other, program, context, diagnostics, unsupported);
}

} // namespace

static std::vector<CostFact> costsOf(mlir::ModuleOp module, const EvaluatedFile& program) {
  std::vector<CostFact> costs;
  PlaceReader places(program);
  for (lints::AccessFact& fact : lints::accessFacts(module))
    if (auto place = places.read(fact.at).place) costs.push_back({*place, std::move(fact.text)});
  return costs;
}

// Adds the constants of a launch, including those in tuples.
static void addConstants(llvm::ArrayRef<evaluate::LaunchArgument> arguments,
                         llvm::SmallVectorImpl<language::Value>& out) {
  for (const evaluate::LaunchArgument& argument : arguments) {
    if (argument.isConstexpr && argument.constant.object()) out.push_back(argument.constant);
    addConstants(argument.elements, out);
  }
}

// Returns the key of a variant. For a kernel that evaluation knows, it is computed before the
// record is read further. A nested kernel of a record depends on the record's closure, which is in
// the record's hash; other objects that the record names may be anywhere in the program.
Analyzer::Key Analyzer::keyOf(const Variant& variant) {
  const EvaluatedFile& program = *variant.program;
  Key key;
  key.kernel = variant.launch
                   ? variant.launch->kernel
                   : program.kernel(variant.kernel, variant.record.record->module == "__main__");
  if (!key.kernel) return key;
  const void* what = variant.retyped  ? static_cast<const void*>(variant.retyped->original)
                     : variant.launch ? static_cast<const void*>(variant.launch)
                                      : static_cast<const void*>(variant.record.record);
  key.fingerprint = &program.fingerprints().kept(what, [&] {
    llvm::SmallVector<language::Value, 4> constants;
    if (variant.launch) addConstants(variant.launch->arguments, constants);
    Fingerprint made = program.fingerprints().of(*key.kernel, constants);
    if (!variant.launch && variant.record.record->namesCode)
      made.value = made.value * 31 + program.fingerprints().ofTexts();
    // Kernels of the newest release keep the hash that their text alone gives.
    made.value += (static_cast<uint64_t>(releases::newest) -
                   static_cast<uint64_t>(program.evaluation().release())) *
                  0xD6E8FEB86659FD93u;
    return made;
  });
  key.value = key.fingerprint->value ^ variant.hash * 0x9E3779B97F4A7C15u;
  if (key.value >= ~uint64_t{1}) key.kernel = nullptr; // DenseMap's own
  return key;
}

std::shared_ptr<const KernelResult> Analyzer::find(AnalysisCache& cache, const Variant& variant,
                                                   const Key& key) {
  if (!key.kernel) return nullptr;
  auto entry = cache.find(key.value);
  if (!entry) return nullptr;
  const auto& sizes = entry->result->sizes;
  if (sizes && *sizes != sizesOf(hostLaunchOf(variant, names()))) return nullptr;
  auto result = moved(*entry, key.anchors());
  // They will probably be requested again at their current places.
  if (result && result != entry->result) cache.keep(key.value, {result, key.anchors().vec()});
  return result;
}

codegen::CodegenContext& Analyzer::contextFor(const EvaluatedFile& program) {
  return worker_.codegen(snapshot_.names(), program.evaluation().release());
}

std::shared_ptr<const KernelResult> Analyzer::atHand(const Variant& variant) {
  return find(snapshot_.cache<KeptResults>(), variant, keyOf(variant));
}

std::optional<Assembled> Analyzer::codeAtHand(const Variant& variant) {
  Key key = keyOf(variant);
  return key.kernel ? snapshot_.cache<CodeCache>().find(key.value) : std::nullopt;
}

std::shared_ptr<const codegen::ExpressionFacts> Analyzer::facts(const Variant& variant) {
  if (token_.isCancelled()) return nullptr;
  FileWork work(snapshot_, variant.program->parts().front().file);
  AnalysisCache& cache = snapshot_.cache<KeptFacts>();
  Key key = keyOf(variant);
  if (auto result = find(cache, variant, key)) return result->facts;
  if (FileWork::isStopped()) return nullptr;
  codegen::CodegenContext& context = contextFor(*variant.program);
  VariantResolver resolver(snapshot_, *variant.program, context);
  auto specialization = resolver.resolve(variant);
  if (!specialization) return nullptr;
  codegen::GeneratedModule generated =
      generateFor(variant, context, *specialization, {.recordFacts = true, .cancellation = token_});
  if (generated.cancelled || token_.isCancelled()) return nullptr;
  auto result = std::make_shared<KernelResult>();
  if (generated.ok() && generated.facts && leavesLayoutsOpen(*generated.facts)) {
    std::vector<diagnostics::Diagnostic> unused;
    std::string unsupported;
    if (runStages(context, *generated.module, *specialization, "ttgir", *variant.program, unused,
                  unsupported))
      tellChosenLayouts(*generated.facts, *generated.module, *variant.program);
    if (token_.isCancelled()) return nullptr;
  }
  result->facts = std::move(generated.facts);
  if (key.kernel && !FileWork::isStopped()) cache.keep(key.value, {result, key.anchors().vec()});
  return result->facts;
}

// Returns the calls in the kernel's own file that lead to its launch, outermost first.
static llvm::SmallVector<text::Range, 4> launchChain(const Variant& variant) {
  llvm::SmallVector<text::Range, 4> chain;
  std::vector<diagnostics::Location> places = launchPlaces(variant);
  for (const diagnostics::Location& place : llvm::reverse(places))
    if (place.file == variant.file().id()) chain.push_back(place.range);
  return chain;
}

// Limits the findings of a file that exceeded its allowance: those that need the agreement of
// several runs are dropped.
static std::shared_ptr<const KernelResult> stopped(KernelResult result, bool isAssumed) {
  result.isStopped = result.incomplete = true;
  result.incompleteBecause = "the analysis of the file took " + FileWork::spentText();
  if (isAssumed)
    llvm::erase_if(result.diagnostics, [](const diagnostics::Diagnostic& each) {
      return each.id != diagnostics::Id::BudgetExhausted;
    });
  return std::make_shared<KernelResult>(std::move(result));
}

// The bytes of code beyond which a kernel's lints do not fit between two keys.
static constexpr size_t largeKernel = size_t{24} << 10;

static bool isLarge(llvm::ArrayRef<Anchor> anchors) {
  size_t bytes = 0;
  for (const Anchor& anchor : anchors)
    bytes += anchor.range.end - anchor.range.begin;
  return bytes > largeKernel;
}

std::shared_ptr<const KernelResult> Analyzer::analyze(const Variant& variant, Effort effort) {
  if (token_.isCancelled()) return nullptr;
  const EvaluatedFile& program = *variant.program;
  FileWork work(snapshot_, program.parts().front().file);
  Key key = keyOf(variant);
  if (auto result = find(snapshot_.cache<KeptResults>(), variant, key)) return result;
  if (FileWork::isStopped()) return stopped({}, false);

  auto result = std::make_shared<KernelResult>();
  const File& file = variant.file();
  std::string name = file.path() + "\n" + variant.kernel + "\n" + variant.id;
  std::optional<std::vector<diagnostics::Diagnostic>> last;
  bool large = isLarge(key.anchors());
  if (large && effort == Effort::Hasty)
    last = snapshot_.cache<LastFindings>().at(name, file.text().text());
  auto provisional = [&] {
    result->isProvisional = true;
    llvm::append_range(result->diagnostics, *last);
    return result;
  };
  if (last && assumes(variant)) return provisional();

  codegen::CodegenContext& context = contextFor(program);
  VariantResolver resolver(snapshot_, program, context);
  auto specialization = resolver.resolve(variant);
  if (!specialization) {
    result->diagnostics.push_back(std::move(specialization.error()));
    return result;
  }
  codegen::SourceOptions options{.cancellation = token_};
  if (effort == Effort::Brief) options.steps /= 16;
  codegen::GeneratedModule generated = generateFor(variant, context, *specialization, options);
  if (generated.cancelled || token_.isCancelled()) return nullptr;
  result->ok = generated.ok();
  result->ranOut = ranOut(generated.diagnostics);
  result->incomplete = generated.incomplete;
  result->incompleteBecause = std::move(generated.incompleteBecause);
  result->diagnostics = std::move(generated.diagnostics);
  if (last && generated.ok()) return provisional();
  std::string unsupported;
  if (generated.ok()) {
    lints::Findings findings;
    auto sizes = [&] { return result->sizes.emplace(sizesOf(hostLaunchOf(variant, names()))); };
    lints::lintSource(*generated.module, findings);
    if (runStages(context, *generated.module, *specialization, "ttgir", program,
                  result->diagnostics, unsupported)) {
      result->budget = lints::lintTtgir(*generated.module, findings,
                                        toolchainOf(specialization->target).scratchBytes, sizes)
                           .withoutOps();
      result->isUndecided = findings.isUndecided();
      result->costs = costsOf(*generated.module, program);
      if (auto accepted = passes::checkRefusals(*generated.module, passes::BackEndOf::Triton);
          !accepted)
        reportFailure(accepted.error(), program, context, result->diagnostics, unsupported);
    }
    reportLints(findings, program, launchChain(variant), result->diagnostics);
  }
  if (assumes(variant)) {
    auto lint = [&](mlir::ModuleOp module, const codegen::Specialization& guessed)
        -> std::optional<std::vector<diagnostics::Diagnostic>> {
      std::vector<diagnostics::Diagnostic> said;
      lints::Findings findings;
      lints::lintSource(module, findings);
      if (!runStages(context, module, guessed, "ttgir", program, said, unsupported))
        return std::nullopt;
      lints::lintTtgir(module, findings, toolchainOf(guessed.target).scratchBytes);
      said.clear();
      reportLints(findings, program, launchChain(variant), said);
      return said;
    };
    result->diagnostics = certainOf(std::move(result->diagnostics), variant, context,
                                    *specialization, program, lint, token_);
  }
  addOperandOrigins(result->diagnostics, program, snapshot_.names());
  if (token_.isCancelled()) return nullptr;
  if (FileWork::isStopped()) return stopped(std::move(*result), assumes(variant));
  if (large) {
    std::vector<diagnostics::Diagnostic> others = result->diagnostics; // what may be out of date
    llvm::erase_if(others, [](const diagnostics::Diagnostic& each) {
      return each.severity == diagnostics::Severity::Error;
    });
    snapshot_.cache<LastFindings>().keep(name, file.id(), file.text().text(), std::move(others));
  }
  if (key.kernel && canMove(*result, key.anchors()))
    snapshot_.cache<KeptResults>().keep(key.value, {result, key.anchors().vec()});
  return result;
}

bool Analyzer::runStages(codegen::CodegenContext& context, mlir::ModuleOp module,
                         const codegen::Specialization& specialization, llvm::StringRef last,
                         const EvaluatedFile& program,
                         std::vector<diagnostics::Diagnostic>& diagnostics,
                         std::string& unsupported,
                         std::vector<std::pair<llvm::StringRef, double>>* times, bool isShown) {
  for (const Stage& stage : stagesOf(specialization.target)) {
    if (mustStop(token_)) return false;
    if (stage.transform) {
      Clock::time_point start = Clock::now();
      // Lints and later stages need what the newest release's passes leave.
      releases::Release release = isShown ? specialization.release : releases::newest;
      tt::ReleaseScope scope(module.getContext(), release);
      passes::Result done = stage.transform(module, release, worker_.passes());
      if (times) times->emplace_back(stage.id, millisecondsSince(start));
      if (!done) {
        reportFailure(done.error(), program, context, diagnostics, unsupported);
        return false;
      }
    }
    if (stage.id == last) return true;
  }
  return true;
}

static void tellStop(StageResult& result) {
  if (FileWork::isStopped()) result.unsupported = "gluond stopped after " + FileWork::spentText();
}

std::optional<StageModule>
Analyzer::compileSource(const Variant& variant, llvm::StringRef wanted, bool marksStatements,
                        VariantResolver& resolver,
                        std::optional<codegen::Specialization>& specialization) {
  Clock::time_point start = Clock::now();
  StageModule made;
  made.context = worker_.share();
  made.program = variant.program;
  StageResult& result = made.result;
  result.version = variant.file().version();
  auto resolved = resolver.resolve(variant);
  if (!resolved) {
    result.diagnostics.push_back(std::move(resolved.error()));
    return made;
  }
  specialization = std::move(*resolved);
  made.code = specialization->options.code;
  if (!findStage(specialization->target, wanted)) {
    result.unsupported = whyNoStage(specialization->target, wanted);
    return made;
  }
  codegen::GeneratedModule generated =
      generateFor(variant, *made.context, *specialization,
                  {.cancellation = token_, .marksStatements = marksStatements});
  if (generated.cancelled || token_.isCancelled()) return std::nullopt;
  result.stages.emplace_back("source", millisecondsSince(start));
  result.diagnostics = std::move(generated.diagnostics);
  if (!generated.ok()) {
    if (generated.incomplete) result.unsupported = reasonOf(generated);
    if (!generated.incomplete && !generated.hasErrors())
      addErrorsOfFiles(*variant.program, result.diagnostics);
    tellStop(result);
    return made;
  }
  made.module = std::move(generated.module);
  return made;
}

std::string whyNotCompiled(const Snapshot& snapshot, const StageResult& result) {
  for (const diagnostics::Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.severity == diagnostics::Severity::Error) {
      auto file = snapshot.file(snapshot.path(diagnostic.location.file));
      return (file ? fileLineInWords(*file, diagnostic.location.range.begin) + ": "
                   : std::string()) +
             diagnostic.message;
    }
  return result.unsupported.empty() ? "it does not compile: gluond check tells why"
                                    : result.unsupported;
}

void Analyzer::keepCertain(const Variant& variant, StageResult& result) {
  auto isError = [](const diagnostics::Diagnostic& each) {
    return each.severity == diagnostics::Severity::Error;
  };
  if (llvm::none_of(result.diagnostics, isError) || !assumes(variant)) return;
  std::string assumed = assumedTypes(variant, names());
  auto analyzed = assumed.empty() ? nullptr : analyze(variant);
  if (!analyzed || analyzed->isStopped || analyzed->ranOut) return;
  std::string example = whyNotCompiled(snapshot_, result);
  llvm::erase_if(result.diagnostics, [&](const diagnostics::Diagnostic& each) {
    return isError(each) && !has(each.id, diagnostics::Trait::OfTarget);
  });
  llvm::copy_if(analyzed->diagnostics, std::back_inserter(result.diagnostics), isError);
  if (llvm::any_of(result.diagnostics, isError)) return;
  result.unsupported = "it does not compile with the types that gluond assumes for unknown ones (" +
                       assumed + "): " + example + "; " + howToGiveTypes(variant, names());
}

std::optional<StageModule> Analyzer::compileForDebugging(const Variant& variant) {
  VariantResolver resolver(snapshot_, *variant.program, contextFor(*variant.program));
  std::optional<codegen::Specialization> specialization;
  auto made = compileSource(variant, "ttgir", true, resolver, specialization);
  if (!made) return made;
  if (!made->module) {
    keepCertain(variant, made->result);
    return made;
  }
  passes::Result done = passes::runPasses(
      *made->module, passes::gluonToUnoptimizedTtgir(specialization->target.vendor),
      worker_.passes());
  if (token_.isCancelled()) return std::nullopt;
  if (!done) {
    reportFailure(done.error(), *variant.program, *made->context, made->result.diagnostics,
                  made->result.unsupported);
    made->module = nullptr;
    keepCertain(variant, made->result);
  }
  return made;
}

std::optional<StageModule> Analyzer::compile(const Variant& variant, llvm::StringRef wanted) {
  const EvaluatedFile& program = *variant.program;
  VariantResolver resolver(snapshot_, program, contextFor(program));
  std::optional<codegen::Specialization> specialization;
  auto source = compileSource(variant, wanted, false, resolver, specialization);
  if (!source) return source;
  StageModule made = std::move(*source);
  if (!made.module) {
    keepCertain(variant, made.result);
    return made;
  }
  mlir::OwningOpRef<mlir::ModuleOp> module = std::move(made.module);
  made.module = nullptr;
  StageResult& result = made.result;
  const Stage* last = findStage(specialization->target, wanted);
  if (!runStages(*made.context, *module, *specialization, wanted, program, result.diagnostics,
                 result.unsupported, &result.stages, !last->isCompiled())) {
    if (token_.isCancelled()) return std::nullopt;
    tellStop(result);
    keepCertain(variant, result);
    return made;
  }
  if (!last->isCompiled()) {
    made.module = std::move(module);
    return made;
  }
  auto compiled = driver::compile(*module, specialization->target.name(), wanted,
                                  {.cache = cacheOf(*snapshot_.settingsOf(variant.file().path())),
                                   .cancellation = token_,
                                   .workspace = snapshot_.folders(),
                                   .code = made.code});
  if (!compiled) {
    if (token_.isCancelled()) return std::nullopt;
    if (compiled.error().kind == passes::FailureKind::Cancelled) {
      tellStop(result);
      return made;
    }
    reportFailure(compiled.error(), program, *made.context, result.diagnostics, result.unsupported);
    return made;
  }
  result.text = std::move(compiled->text);
  result.assembled = compiled->assembled;
  if (Key key = keyOf(variant); key.kernel && result.assembled)
    snapshot_.cache<CodeCache>().keep(key.value, *result.assembled);
  llvm::append_range(result.stages, compiled->milliseconds);
  for (const CompiledLine& line : compiled->lines)
    if (const EvaluatedFile::Part* file = program.part(line.file)) {
      const text::SourceText& text = file->file->text();
      if (line.sourceLine >= text.lineCount()) continue;
      text::Offset begin = text.lineStart(line.sourceLine);
      result.lines.push_back({line.line, {file->file->id(), {begin, begin}}, {}});
    }
  return made;
}

void StageModule::print(bool wantLines) {
  if (!module) return;
  Clock::time_point start = Clock::now();
  tt::ReleaseScope scope(module->getContext(), program->evaluation().release());
  result.text = printWithPlaces(*module, *program, wantLines ? &result.lines : nullptr);
  module = nullptr;
  result.printMilliseconds = millisecondsSince(start);
}

std::optional<StageResult> Analyzer::stage(const Variant& variant, llvm::StringRef wanted,
                                           bool wantLines) {
  auto made = compile(variant, wanted);
  if (!made) return std::nullopt;
  made->print(wantLines);
  return std::move(made->result);
}

std::optional<std::string>
Analyzer::inspect(const Variant& variant, llvm::StringRef wanted,
                  llvm::function_ref<void(mlir::ModuleOp, const codegen::Specialization&)> look) {
  const EvaluatedFile& program = *variant.program;
  codegen::CodegenContext& context = contextFor(program);
  VariantResolver resolver(snapshot_, program, context);
  auto specialization = resolver.resolve(variant);
  if (!specialization) return specialization.error().message;
  codegen::GeneratedModule generated =
      generateFor(variant, context, *specialization, {.cancellation = token_});
  if (generated.cancelled || token_.isCancelled()) return "cancelled";
  std::string unsupported;
  auto failed = [&](std::string why) {
    StageResult result;
    result.diagnostics = std::move(generated.diagnostics);
    result.unsupported = std::move(unsupported);
    keepCertain(variant, result);
    if (!result.unsupported.empty()) return result.unsupported;
    return "'" + variant.kernel + "' " + why + ": " + whyNotCompiled(snapshot_, result);
  };
  if (!generated.ok())
    return generated.incomplete ? reasonOf(generated)
                                : failed("has errors, so there is no IR to show");
  if (!runStages(context, *generated.module, *specialization, wanted, program,
                 generated.diagnostics, unsupported))
    return failed("does not reach stage " + wanted.str());
  look(*generated.module, *specialization);
  return std::nullopt;
}

std::optional<StageResult> Analyzer::stageOrLast(const Variant& variant, llvm::StringRef wanted) {
  auto result = stage(variant, wanted);
  if (!result) return std::nullopt;
  const File& file = variant.file();
  std::string key = file.path() + "\n" + variant.kernel + "\n" + variant.id + "\n" + wanted.str();
  StageCache& cache = snapshot_.cache<StageCache>();
  if (!result->text.empty()) {
    cache.keep(key, *result);
  } else if (auto last = cache.find(key)) {
    StageResult stale = *last;
    stale.isStale = true;
    stale.diagnostics = std::move(result->diagnostics);
    return stale;
  }
  return result;
}

} // namespace gluond::driver
