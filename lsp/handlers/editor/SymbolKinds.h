// LSP's numbers for the kinds of symbols.
#pragma once

#include "lsp/features/navigation/Symbols.h"

namespace gluond::lsp {

constexpr int lspKind(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Kernel:
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

} // namespace gluond::lsp
