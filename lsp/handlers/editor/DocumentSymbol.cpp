#include "lsp/features/navigation/Symbols.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/editor/SymbolKinds.h"

namespace gluond::lsp {

namespace {

// The first `left` symbols.
std::vector<DocumentSymbol> encodeSymbols(const std::vector<OutlineSymbol>& symbols,
                                          const PositionMap& positions, size_t& left) {
  std::vector<DocumentSymbol> result;
  for (const OutlineSymbol& symbol : symbols) {
    if (left == 0) break;
    --left;
    result.push_back(
        {symbol.name, symbol.detail.empty() ? std::optional<std::string>() : symbol.detail,
         lspKind(symbol.kind), positions.range(symbol.range), positions.range(symbol.nameRange),
         encodeSymbols(symbol.children, positions, left)});
  }
  return result;
}

} // namespace

Answer<std::vector<DocumentSymbol>> documentSymbol(const DocumentParams& params,
                                                   const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  bool isLeftToOthers = context.snapshot.settingsOf(document->file->path())->besidePython;
  if (isLeftToOthers || !isOurs(*document->file, context)) return std::vector<DocumentSymbol>();
  auto tree = document->file->tree(context.snapshot.names(), context.token);
  if (!tree) return std::vector<DocumentSymbol>();
  size_t left = mostSymbols;
  return encodeSymbols(symbolsOf(*tree), document->positions, left);
}

} // namespace gluond::lsp
