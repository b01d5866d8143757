#include "lsp/features/Symbols.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

namespace {

int lspKind(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Kernel:
    return 12; // Function
  case SymbolKind::Function:
    return 12;
  case SymbolKind::Method:
    return 6;
  case SymbolKind::Class:
    return 5;
  case SymbolKind::Field:
    return 8;
  case SymbolKind::Constant:
    return 14;
  case SymbolKind::Variable:
    return 13;
  }
  return 13;
}

std::vector<DocumentSymbol> encodeSymbols(const std::vector<Symbol>& symbols,
                                          const PositionMap& positions) {
  std::vector<DocumentSymbol> result;
  for (const Symbol& symbol : symbols)
    result.push_back(
        {symbol.name, symbol.detail.empty() ? std::optional<std::string>() : symbol.detail,
         lspKind(symbol.kind), positions.range(symbol.range), positions.range(symbol.nameRange),
         encodeSymbols(symbol.children, positions)});
  return result;
}

} // namespace

Answer<std::vector<DocumentSymbol>> documentSymbol(const DocumentParams& params,
                                                   const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto tree = document->file->tree(context.snapshot.names(), context.token);
  if (!tree) return std::vector<DocumentSymbol>();
  return encodeSymbols(symbolsOf(*tree), document->positions);
}

} // namespace gluond::lsp
