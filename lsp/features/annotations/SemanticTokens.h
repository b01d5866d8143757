// Classifies each name of a file for colouring: kernels, tensors, shared and tensor memory, layouts
// and constexprs have types of their own, and builtins differ from the user's names.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

// The legend, in the order of its names in SemanticTokens.cpp. Up to Variable these are LSP's own.
enum class TokenType : uint8_t {
  Namespace,
  Class,
  Type,
  Function,
  Method,
  Property,
  Parameter,
  Variable,
  Kernel,
  Tensor,
  SharedMemory,
  TensorMemory,
  TensorDescriptor,
  Layout,
};
enum TokenModifier : uint8_t {
  Declaration = 1,
  Readonly = 2,
  DefaultLibrary = 4,
  Constexpr = 8,
};
llvm::ArrayRef<llvm::StringLiteral> tokenTypeNames();
llvm::ArrayRef<llvm::StringLiteral> tokenModifierNames(); // indexed by bit

struct Token {
  text::Range range; // within one line
  TokenType type = TokenType::Variable;
  uint8_t modifiers = 0;
};
// Returns those that touch `range`, sorted by place: at most the first `most`.
std::vector<Token> tokensIn(NameResolver& resolver, const IndexedFile& file, text::Range range,
                            size_t most);

} // namespace gluond::lsp
