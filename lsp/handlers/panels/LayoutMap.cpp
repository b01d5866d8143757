#include "lsp/handlers/panels/LayoutMap.h"

#include "driver/inspect/LayoutMap.h"
#include "layout/access/SharedAccess.h"
#include "layout/named/Spelling.h"
#include "lsp/features/facts/FileFacts.h"
#include "lsp/features/facts/LeftOut.h"
#include "lsp/features/names/LayoutSource.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::lsp {

Json encodeLayout(const layout::LayoutPicture& picture) {
  layout::LayoutReport report = layout::report(picture);
  Json json = Json::object(), dims = Json::array(), bases = Json::object(),
       replication = Json::object();
  json["shape"] = Json::array();
  for (int64_t size : report.shape)
    json["shape"].push_back(size);
  json["dtype"] = report.dtype.empty() ? Json(nullptr) : Json(report.dtype);
  for (size_t i = 0; i < report.dims.size(); ++i) {
    std::string dim = layout::name(report.dims[i]).str();
    dims.push_back(dim);
    Json vectors = Json::array();
    for (const auto& basis : report.bases[i]) {
      Json vector = Json::array();
      for (auto coordinate : basis)
        vector.push_back(coordinate);
      vectors.push_back(std::move(vector));
    }
    bases[dim] = std::move(vectors);
    replication[dim] = report.replication[i];
  }
  json["dims"] = std::move(dims);
  json["bases"] = std::move(bases);
  json["replication"] = std::move(replication);
  return json;
}

LayoutMapResult encodeMap(const driver::LayoutMap& map, const std::string& target) {
  const layout::LayoutPicture& picture = map.picture;
  LayoutMapResult result;
  result.layout = layout::spelling(picture.layout);
  result.kind = picture.layout.isDistributed() ? "registers"
                : picture.layout.isShared()    ? "shared memory"
                                               : "tensor memory";
  result.summary = layout::summary(picture);
  for (int64_t size : layout::report(picture).shape)
    result.shape.push_back(size);
  if (!map.slots.empty()) result.slots = map.slots;
  if (!picture.dtype.empty()) result.dtype = picture.dtype;
  result.elementBits = picture.elementBits;
  result.map = encodeLayout(picture);
  const auto* parts = picture.layout.as<layout::PartitionedShared>();
  const layout::Layout& whole = parts ? parts->partitionLayout : picture.layout;
  if (const auto* padded = whole.as<layout::PaddedShared>())
    for (auto [interval, padding] : llvm::zip_equal(padded->intervals, padded->paddings))
      result.padding.push_back({interval, padding});
  result.text = layout::renderText(picture);
  result.banks = layout::banksOf(target).mostBanks();
  result.target = target;
  return result;
}

Answer<LayoutMapResult> layoutMap(const LayoutMapParams& params, const RequestContext& context) {
  driver::LayoutRequest request;
  std::optional<Range> range;
  std::optional<Location> source;
  std::optional<std::string> value;
  std::optional<LayoutPart> part;
  request.target = params.target.value_or(chips::standardTarget.str());
  if (params.expression) {
    request.expression = *params.expression;
    request.shape = params.shape.value_or(std::vector<int64_t>());
    request.dtype = params.dtype.value_or("");
  } else if (params.textDocument && params.position) {
    auto document = findDocument(*params.textDocument, context);
    if (!document) return tl::unexpected(document.error());
    text::Offset offset = document->positions.offset(*params.position);
    auto fact =
        layoutFactAt(context.snapshot, document->file, offset, context.worker, context.token);
    if (!fact) {
      auto plain = factAt(context.snapshot, document->file, offset, context.worker, context.token);
      std::string why =
          "nothing with a layout is on line " + std::to_string(params.position->line + 1);
      using codegen::FactKind;
      if (plain && plain->type.kind == FactKind::Constexpr && plain->type.text.size() < 200)
        why = "one value that is known at compile time, " + plain->type.text + ": it has no layout";
      else if (plain &&
               (plain->type.kind == FactKind::Scalar || plain->type.kind == FactKind::Pointer))
        why = "one " + plain->type.text + ": every thread holds it, so it has no layout";
      else if (plain &&
               (plain->type.kind == FactKind::Aggregate || plain->type.kind == FactKind::Tuple))
        why = "this is several values, each with a layout of its own";
      FileFacts facts(context.snapshot, document->file, context.worker, context.token);
      if (!plain)
        if (auto leftOut = leftOutAt(
                facts, *document->file->tree(context.snapshot.names(), context.token), offset))
          why = "line " + std::to_string(params.position->line + 1) + " is " +
                whyLeftOut(*leftOut, document->file->text());
      return fail(why);
    }
    offset = std::clamp(offset, fact->range.begin, fact->range.end);
    request.expression = fact->layout();
    request.shape = params.shape
                        ? *params.shape
                        : std::vector<int64_t>(fact->type.shape.begin(), fact->type.shape.end());
    if (!params.shape && fact->view) {
      const codegen::ViewFact& view = *fact->view;
      part = LayoutPart{view.buffer, {}, std::move(request.shape)};
      for (const std::optional<int64_t>& offset : view.offsets)
        part->offsets.push_back(offset.value_or(-1));
      request.shape.assign(view.sizes.begin(), view.sizes.end());
    }
    request.dtype = params.dtype.value_or(fact->type.dtype);
    request.target = fact->target;
    range = document->positions.range(fact->range);
    llvm::StringRef text = document->file->text().slice(fact->range);
    if (text.size() <= 60 && !text.contains('\n')) value = text.str();
    if (auto written =
            layoutSourceAt(context.snapshot, document->file, offset, context.worker, context.token))
      source = Location{params.textDocument->uri, document->positions.range(*written)};
  } else {
    return tl::unexpected(
        ResponseError{ErrorCode::InvalidParams, "either textDocument and position, or expression"});
  }
  auto map = driver::layoutMap(context.snapshot.names(), request);
  if (!map && part) {
    request.shape = std::exchange(part, std::nullopt)->shape;
    map = driver::layoutMap(context.snapshot.names(), request);
  }
  // A layout without a tile of its own is shown on a matrix.
  if (!map && range && request.shape.empty())
    for (std::vector<int64_t> shape : {std::vector<int64_t>{64, 64}, {256}, {4, 64, 64}}) {
      request.shape = std::move(shape);
      auto other = driver::layoutMap(context.snapshot.names(), request);
      if (!other) continue;
      map = std::move(other);
      break;
    }
  if (!map) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, map.error()});
  LayoutMapResult result = encodeMap(*map, request.target);
  result.value = value;
  if (part && part->shape != request.shape) result.part = std::move(part);
  result.range = range;
  result.source = source;
  return result;
}

} // namespace gluond::lsp
