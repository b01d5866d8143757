#include "lsp/features/navigation/Selection.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

// A chain of ranges for each position, from the inside out.
Answer<Json> selectionRange(const SelectionRangeParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto tree = document->file->tree(context.snapshot.names(), context.token);
  Json result = Json::array();
  if (!tree || !isOurs(*document->file, context)) return Json(nullptr);
  constexpr size_t most = 64; // messages are no deeper than 256 levels
  for (Position position : params.positions) {
    std::vector<text::Range> ranges = selectionsAt(*tree, document->positions.offset(position));
    if (ranges.size() > most) ranges.resize(most);
    Json chain;
    for (text::Range range : llvm::reverse(ranges)) {
      Json link = {{"range", encode(document->positions.range(range))}};
      if (!chain.is_null()) link["parent"] = std::move(chain);
      chain = std::move(link);
    }
    result.push_back(std::move(chain));
  }
  return result;
}

} // namespace gluond::lsp
