#include "lsp/features/Navigation.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<WorkspaceEdit> rename(const RenameParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto edits = renameAt(context.snapshot, *document->file,
                        document->positions.offset(params.position), params.newName, context.token);
  if (!edits) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, edits.error()});
  std::vector<TextEdit> encoded;
  for (const text::Edit& edit : *edits)
    encoded.push_back({document->positions.range(edit.range), edit.text});
  WorkspaceEdit result;
  result.changes[params.textDocument.uri] = encode(encoded);
  return result;
}

// Whether renaming makes sense here, and what would be renamed.
Answer<Json> prepareRename(const PositionParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  text::Offset offset = document->positions.offset(params.position);
  for (const Occurrence& occurrence :
       referencesAt(context.snapshot, *document->file, offset, context.token))
    if (occurrence.range.touches(offset))
      return encode(document->positions.range(occurrence.range));
  return Json(nullptr);
}

} // namespace gluond::lsp
