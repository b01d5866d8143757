#include "driver/inspect/LayoutStudy.h"
#include "lsp/features/names/LayoutSource.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/panels/LayoutMap.h"

namespace gluond::lsp {

namespace {

template <typename Params>
driver::LayoutRequest requestOf(const std::string& expression, const Params& params) {
  return {expression, params.shape.value_or(std::vector<int64_t>()), params.dtype.value_or(""),
          params.target.value_or(chips::standardTarget.str())};
}

} // namespace

Answer<ConversionResult> conversion(const ConversionParams& params, const RequestContext& context) {
  auto study = driver::studyConversion(context.snapshot.names(), requestOf(params.from, params),
                                       params.to, params.inLoop.value_or(false));
  if (!study) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, study.error()});
  std::string target = params.target.value_or(chips::standardTarget.str());
  std::optional<ConversionInstructions> instructions;
  if (study->instructions)
    instructions = {study->instructions->swaps,
                    study->instructions->shuffles,
                    study->instructions->selects,
                    study->instructions->stores,
                    study->instructions->storeBytes,
                    study->instructions->loads,
                    study->instructions->loadBytes,
                    study->instructions->barriers,
                    study->cost.kind == layout::ConversionKind::Lanes ? "warp" : "program"};
  return ConversionResult{encodeMap(study->from, target),
                          encodeMap(study->to, target),
                          layout::name(study->cost.kind).str(),
                          study->summary,
                          study->cost.bytes,
                          study->cost.bytesMoved,
                          study->sharedBytes,
                          std::move(instructions)};
}

Answer<StudyLayoutResult> studyLayout(const StudyLayoutParams& params,
                                      const RequestContext& context) {
  driver::StudyRequest request{requestOf(params.expression, params),
                               params.strides.value_or(std::vector<int64_t>()),
                               params.partner.value_or("")};
  auto study = driver::studyLayout(context.snapshot.names(), request);
  StudyLayoutResult result;
  if (!study) {
    result.error = study.error();
    return result;
  }
  const std::string& target = request.layout.target;
  result.layout = encodeMap(study->map, target);
  if (study->partner) result.partner = encodeMap(*study->partner, target);
  result.strides = study->strides;
  int64_t elementBytes = study->map.picture.elementBits / 8;
  if (study->global)
    result.global = {study->global->bytes, study->global->instructions, study->global->sectors,
                     study->global->leastSectors, study->global->lines};
  if (study->traffic)
    result.shared = {study->traffic->elements * elementBytes, study->traffic->instructions,
                     study->traffic->wavefronts, study->traffic->least};
  result.registers = study->registers;
  for (const driver::StudyWarning& warning : study->warnings)
    result.warnings.push_back({warning.severity, warning.message});
  return result;
}

Answer<WriteLayoutResult> writeLayout(const WriteLayoutParams& params,
                                      const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<ArgumentChange> changes;
  for (const LayoutChange& each : params.changes.value_or(std::vector<LayoutChange>()))
    changes.push_back({each.parameter, static_cast<size_t>(std::max<int64_t>(0, each.position)),
                       each.was, each.becomes});
  auto text = layoutText(context.snapshot, *document->file, document->positions.range(params.range),
                         params.expression, changes, context.token);
  if (!text) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, text.error()});
  WriteLayoutResult result;
  result.text = *text;
  result.edit.changes[params.textDocument.uri] =
      encode(std::vector<TextEdit>{{params.range, *text}});
  return result;
}

} // namespace gluond::lsp
