#include "lsp/features/navigation/Navigation.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "support/Plural.h"

namespace gluond::lsp {

Answer<WorkspaceEdit> rename(const RenameParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context))
    return tl::unexpected(
        ResponseError{ErrorCode::RequestFailed, "'" + document->file->path() +
                                                    "' does not use Gluon: its names are left to "
                                                    "the editor's Python language server"});
  context.progress.begin("Renaming");
  auto edits = renameAt(*document->resolver, *document->indexed,
                        document->positions.offset(params.position), params.newName);
  if (!edits) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, edits.error()});
  size_t places = 0;
  for (const FileEdits& file : *edits)
    places += file.edits.size();
  if (places > mostRenamed)
    return tl::unexpected(ResponseError{
        ErrorCode::RequestFailed, "the name has " + counted(places, "place") + ", and at most " +
                                      std::to_string(mostRenamed) + " can be renamed at once"});
  WorkspaceEdit result;
  for (const FileEdits& file : *edits) {
    PositionMap positions(file.file->text(), context.client.encoding);
    std::vector<TextEdit> encoded;
    for (const text::Edit& edit : file.edits)
      encoded.push_back({positions.range(edit.range), edit.text});
    result.changes[context.client.uri(file.file->path())] = encode(encoded);
  }
  return result;
}

// Returns whether a rename is possible here, and the name to be renamed.
Answer<Json> prepareRename(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context)) return Json(nullptr); // another server may
  auto range = renameable(*document->resolver, *document->indexed,
                          document->positions.offset(params.position));
  if (!range) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, range.error()});
  return Json{{"range", encode(document->positions.range(*range))},
              {"placeholder", document->file->text().slice(*range).str()}};
}

} // namespace gluond::lsp
