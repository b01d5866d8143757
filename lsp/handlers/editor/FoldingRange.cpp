#include "lsp/features/navigation/Symbols.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<std::vector<FoldingRange>> foldingRange(const DocumentParams& params,
                                               const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto tree = document->file->tree(context.snapshot.names(), context.token);
  std::vector<FoldingRange> ranges;
  if (!isOurs(*document->file, context)) return ranges;
  if (!tree) return ranges;
  std::vector<Fold> folds = foldsOf(*tree);
  for (const Fold& fold : llvm::ArrayRef(folds).take_front(mostFolds)) {
    std::optional<std::string> kind;
    if (fold.kind == Fold::Kind::Comment) kind = "comment";
    if (fold.kind == Fold::Kind::Imports) kind = "imports";
    ranges.push_back({fold.firstLine, fold.lastLine, kind});
  }
  return ranges;
}

} // namespace gluond::lsp
