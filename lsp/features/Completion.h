// What can stand at the cursor: members of Gluon's namespaces, names in scope, keyword arguments of
// the call around it; and the signatures of that call.
#pragma once

#include "driver/Workspace.h"
#include "lsp/features/CursorContext.h"

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

enum class CompletionKind : uint8_t {
  Module,
  Function,
  Class,
  Property,
  Constant,
  Variable,
  Argument
};

struct Completion {
  std::string label;
  CompletionKind kind;
  std::string detail;        // signature, or what it is
  std::string documentation; // Markdown
  unsigned rank = 0;         // lower first
};
struct Completions {
  text::Range replaces; // the word at the cursor
  std::vector<Completion> items;
};
Completions completionsAt(const driver::Snapshot& snapshot, const driver::File& file,
                          text::Offset offset, CancellationToken token);

struct Signature {
  std::string label, documentation;
  struct Parameter {
    text::Range range; // in the label
    std::string documentation;
  };
  std::vector<Parameter> parameters;
  unsigned active = 0; // the parameter the cursor is at; parameters.size() when it is none of them
};
// Of the innermost call around the cursor whose function is known.
std::optional<Signature> signatureAt(const driver::Snapshot& snapshot, const driver::File& file,
                                     text::Offset offset, CancellationToken token);

} // namespace gluond::lsp
