#include "lsp/features/navigation/CallHierarchy.h"

#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

namespace {

constexpr int functionKind = 12, moduleKind = 2;

CallHierarchyItem encodeItem(const CallItem& item, const RequestContext& context) {
  CallHierarchyItem result;
  result.name = item.name;
  result.kind = item.isModule ? moduleKind : functionKind;
  result.detail = item.isKernel ? "@gluon.jit, " + item.detail : item.detail;
  Location whole = encodeLocation(*item.file, item.range, context);
  result.uri = whole.uri;
  result.range = whole.range;
  result.selectionRange = encodeLocation(*item.file, item.nameRange, context).range;
  return result;
}

std::vector<Range> encodeRanges(const std::vector<text::Range>& ranges, const driver::File& file,
                                const RequestContext& context) {
  PositionMap positions(file.text(), context.client.encoding);
  std::vector<Range> result;
  for (text::Range range : ranges)
    result.push_back(positions.range(range));
  return result;
}

} // namespace

Answer<Json> prepareCallHierarchy(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context)) return Json(nullptr);
  auto item = callItemAt(*document->resolver, *document->indexed,
                         document->positions.offset(params.position));
  if (!item) return Json(nullptr);
  return Json::array({encode(encodeItem(*item, context))});
}

Answer<std::vector<CallHierarchyIncomingCall>> incomingCalls(const CallHierarchyCallsParams& params,
                                                             const RequestContext& context) {
  auto document = findNamed({params.item.uri}, context);
  if (!document) return tl::unexpected(document.error());
  context.progress.begin("Finding callers");
  std::vector<CallHierarchyIncomingCall> result;
  for (const CallEdge& edge : callsTo(*document->resolver, *document->indexed,
                                      document->positions.range(params.item.selectionRange)))
    result.push_back(
        {encodeItem(edge.item, context), encodeRanges(edge.places, *edge.item.file, context)});
  return result;
}

Answer<std::vector<CallHierarchyOutgoingCall>> outgoingCalls(const CallHierarchyCallsParams& params,
                                                             const RequestContext& context) {
  auto document = findNamed({params.item.uri}, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<CallHierarchyOutgoingCall> result;
  for (const CallEdge& edge : callsFrom(*document->resolver, *document->indexed,
                                        document->positions.range(params.item.selectionRange)))
    result.push_back(
        {encodeItem(edge.item, context), encodeRanges(edge.places, *document->file, context)});
  return result;
}

} // namespace gluond::lsp
