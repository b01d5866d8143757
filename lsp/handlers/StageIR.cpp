#include "codegen/Target.h"
#include "driver/Analysis.h"
#include "driver/Stages.h"
#include "lsp/handlers/Diagnostics.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

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

Answer<StageIRResult> stageIR(const StageIRParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto kernels = driver::kernelsOf(context.snapshot, document->file, context.token);
  if (!kernels) return StageIRResult{};
  const driver::Kernel* kernel = kernels->find(params.kernel);
  if (!kernel) return fail("no kernel '" + params.kernel + "'");
  const driver::Variant* variant = params.specialization ? kernel->find(*params.specialization)
                                                         : &kernel->variants[kernel->selected];
  if (!variant)
    return fail("'" + params.kernel + "' has no specialization '" + *params.specialization + "'");
  if (auto target = codegen::Target::parse(variant->target))
    if (const driver::Stage* asked = driver::findStage(*target, params.stage);
        asked && !asked->isText)
      return fail("stage '" + params.stage + "' is no text; `sass` shows it");
  driver::Analyzer analyzer(context.snapshot, context.worker, context.token);
  auto stage = analyzer.stageOrLast(*variant, params.stage);
  if (!stage) return StageIRResult{};
  if (stage->text.empty() && !stage->unsupported.empty()) return fail(stage->unsupported);

  StageIRResult result;
  result.version = stage->version;
  result.stale = stage->isStale;
  result.specialization = variant->id;
  result.stage = params.stage;
  result.text = std::move(stage->text);
  result.milliseconds = stage->milliseconds();
  LineEncoder lines(context);
  for (const driver::LineOrigin& origin : stage->lines)
    result.lines.push_back(lines.encode(origin));
  for (const diagnostics::Diagnostic& diagnostic : stage->diagnostics)
    result.diagnostics.push_back(encodeDiagnostic(diagnostic, *document->file, context));
  if (auto target = codegen::Target::parse(variant->target))
    for (const driver::Stage& each : driver::stagesOf(*target))
      if (each.isText)
        result.stages.push_back({each.id.str(), each.title.str(), each.language.str()});
  return result;
}

} // namespace gluond::lsp
