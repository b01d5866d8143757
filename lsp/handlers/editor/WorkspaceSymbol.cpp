#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/editor/SymbolKinds.h"

namespace gluond::lsp {

Answer<std::vector<SymbolInformation>> workspaceSymbol(const WorkspaceSymbolParams& params,
                                                       const RequestContext& context) {
  constexpr size_t most = 512;
  context.progress.begin("Searching symbols");
  std::vector<SymbolInformation> result;
  for (const WorkspaceSymbol& found :
       workspaceSymbols(context.snapshot, params.query, most, context.token)) {
    SymbolInformation symbol{found.symbol.name, lspKind(found.symbol.kind),
                             encodeLocation(*found.file, found.symbol.nameRange, context),
                             std::nullopt};
    if (!found.container.empty()) symbol.containerName = found.container;
    result.push_back(std::move(symbol));
  }
  return result;
}

} // namespace gluond::lsp
