#include "chips/Target.h"
#include "driver/analysis/Analysis.h"
#include "driver/inspect/PassTrace.h"
#include "driver/stages/Stages.h"
#include "lsp/features/facts/BudgetText.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/diagnostics/Diagnostics.h"

#include <llvm/ADT/STLExtras.h>

#include <map>

namespace gluond::lsp {

namespace {

class LineEncoder {
public:
  explicit LineEncoder(const RequestContext& context) : context_(context) {}

  LineMapping encode(const driver::LineOrigin& origin) {
    const Known& file = known(origin.place.file);
    LineMapping mapping{origin.line, file.uri, lineOf(file, origin.place), {}};
    for (const diagnostics::Location& call : origin.calls)
      mapping.calledFrom.push_back(lineOf(known(call.file), call));
    return mapping;
  }

private:
  struct Known {
    std::shared_ptr<const driver::File> file;
    std::string uri;
  };
  const Known& known(diagnostics::FileId id) {
    auto [it, isNew] = files_.try_emplace(id.id);
    if (isNew) {
      std::string path = context_.snapshot.path(id);
      it->second = {context_.snapshot.found(path), context_.client.uri(path)};
    }
    return it->second;
  }
  static uint32_t lineOf(const Known& file, const diagnostics::Location& place) {
    return file.file ? file.file->text().lineOf(place.range.begin) : 0;
  }

  const RequestContext& context_;
  std::map<uint32_t, Known> files_;
};

} // namespace

namespace {

// The kernel and specialization that a request names.
struct Named {
  std::shared_ptr<const driver::KernelList> kernels; // keeps the rest
  const driver::Kernel* kernel = nullptr;            // null if cancelled
  const driver::Variant* variant = nullptr;
};
Answer<Named> named(const Document& document, const std::string& kernel,
                    const std::optional<std::string>& specialization,
                    const RequestContext& context) {
  Named found;
  found.kernels = driver::kernelsOf(context.snapshot, document.file, context.token);
  if (!found.kernels) return found;
  found.kernel = found.kernels->find(kernel);
  if (!found.kernel) return fail("no kernel '" + kernel + "'");
  found.variant = specialization ? found.kernel->find(*specialization)
                                 : &found.kernel->variants[found.kernel->selected];
  if (!found.variant)
    return fail("'" + kernel + "' has no specialization '" + *specialization + "'");
  return found;
}

// Stage ttgir after one of its passes.
Answer<std::optional<driver::StageResult>>
afterPass(const driver::Variant& variant, const std::string& pass, const RequestContext& context) {
  driver::Analyzer analyzer(context.snapshot, context.worker, context.token);
  auto trace = driver::tracePasses(analyzer, context.worker, variant, pass);
  if (!trace) return std::nullopt;
  auto step = llvm::find_if(trace->steps, [&](const auto& each) { return each.id == pass; });
  if (step != trace->steps.end()) {
    trace->source.text = std::move(step->text);
    trace->source.lines = std::move(step->lines);
    return std::move(trace->source);
  }
  if (!llvm::is_contained(driver::passNames(variant), pass))
    return fail("unknown pass '" + pass + "' for " + variant.target);
  if (!trace->failed) return std::move(trace->source); // nothing ran
  return fail("'" + pass + "' does not run: '" + *trace->failed + "' fails: " + trace->failure);
}

} // namespace

Answer<PassesResult> passes(const PassesParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto found = named(*document, params.kernel, params.specialization, context);
  if (!found) return tl::unexpected(found.error());
  if (!found->kernel) return PassesResult{};
  driver::Analyzer analyzer(context.snapshot, context.worker, context.token);
  auto trace = driver::tracePasses(analyzer, context.worker, *found->variant);
  if (!trace) return PassesResult{};
  if (trace->source.text.empty() && !trace->source.unsupported.empty())
    return fail(trace->source.unsupported);
  PassesResult result;
  result.version = trace->source.version;
  result.specialization = found->variant->id;
  result.text = std::move(trace->source.text);
  for (driver::PassStep& step : trace->steps) {
    PassInfo pass{step.id, step.title.str(), step.hasChanged, std::nullopt};
    if (step.hasChanged) pass.text = std::move(step.text);
    result.passes.push_back(std::move(pass));
  }
  result.failed = trace->failed;
  return result;
}

Answer<StageIRResult> stageIR(const StageIRParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto found = named(*document, params.kernel, params.specialization, context);
  if (!found) return tl::unexpected(found.error());
  if (!found->kernel) return StageIRResult{};
  const driver::Variant* variant = found->variant;
  if (auto target = chips::Target::parse(variant->target))
    if (const driver::Stage* asked = driver::findStage(*target, params.stage);
        asked && !asked->isText()) {
      const driver::Stage* shown = driver::shownBy(*target, *asked);
      return fail("stage '" + params.stage + "' is not text" +
                  (shown ? "; the stage `" + shown->id.str() + "` shows it" : ""));
    }
  std::optional<driver::StageResult> stage;
  bool isNewCode = false;
  if (params.pass) {
    if (params.stage != "ttgir") return fail("passes are of stage ttgir");
    auto traced = afterPass(*variant, *params.pass, context);
    if (!traced) return tl::unexpected(traced.error());
    stage = std::move(*traced);
  } else {
    driver::Analyzer analyzer(context.snapshot, context.worker, context.token);
    bool wasCompiled = analyzer.codeAtHand(*variant).has_value();
    stage = analyzer.stageOrLast(*variant, params.stage);
    isNewCode = !wasCompiled && analyzer.codeAtHand(*variant);
  }
  if (isNewCode && context.lensesChanged) context.lensesChanged();
  if (!stage) return StageIRResult{};
  if (stage->text.empty() && !stage->unsupported.empty()) return fail(stage->unsupported);

  StageIRResult result;
  result.version = stage->version;
  result.stale = stage->isStale;
  result.specialization = variant->id;
  result.stage = params.stage;
  result.text = std::move(stage->text);
  result.milliseconds = stage->milliseconds();
  if (stage->assembled) result.resources = codeText(*stage->assembled, variant->target);
  LineEncoder lines(context);
  for (const driver::LineOrigin& origin : stage->lines)
    result.lines.push_back(lines.encode(origin));
  for (const diagnostics::Diagnostic& diagnostic : stage->diagnostics)
    result.diagnostics.push_back(encodeDiagnostic(diagnostic, *document->file, context));
  if (auto target = chips::Target::parse(variant->target))
    for (const driver::Stage& each : driver::stagesOf(*target))
      if (each.isText())
        result.stages.push_back({each.id.str(), each.title.str(), each.language.str()});
  return result;
}

} // namespace gluond::lsp
