#include "lsp/features/navigation/CallHierarchy.h"

#include "lsp/handlers/AnswerSizes.h"
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

// The calls of an answer. A `Call` is a CallHierarchyIncomingCall or CallHierarchyOutgoingCall;
// `fileOf` says in which file the places of an edge are.
template <typename Call>
std::vector<Call> encodeCalls(const std::vector<CallEdge>& edges, const RequestContext& context,
                              llvm::function_ref<const driver::File&(const CallEdge&)> fileOf) {
  std::vector<Call> result;
  size_t left = mostCalls;
  for (const CallEdge& edge : edges) {
    if (left == 0) break;
    PositionMap positions(fileOf(edge).text(), context.client.encoding);
    std::vector<Range> places;
    for (text::Range place : llvm::ArrayRef(edge.places).take_front(left))
      places.push_back(positions.range(place));
    left -= places.size();
    result.push_back({encodeItem(edge.item, context), std::move(places)});
  }
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
  auto edges = callsTo(*document->resolver, *document->indexed,
                       document->positions.range(params.item.selectionRange));
  return encodeCalls<CallHierarchyIncomingCall>(
      edges, context, [](const CallEdge& edge) -> const driver::File& { return *edge.item.file; });
}

Answer<std::vector<CallHierarchyOutgoingCall>> outgoingCalls(const CallHierarchyCallsParams& params,
                                                             const RequestContext& context) {
  auto document = findNamed({params.item.uri}, context);
  if (!document) return tl::unexpected(document.error());
  auto edges = callsFrom(*document->resolver, *document->indexed,
                         document->positions.range(params.item.selectionRange));
  return encodeCalls<CallHierarchyOutgoingCall>(
      edges, context, [&](const CallEdge&) -> const driver::File& { return *document->file; });
}

} // namespace gluond::lsp
