// Completions at the cursor: members of namespaces, values, classes and modules, names in scope,
// keyword arguments, layouts that fit; and the signature of the enclosing call. It works on
// incomplete code: the text left of the cursor is read directly, and its value comes from earlier
// assignments.
#pragma once

#include "lsp/features/completion/CursorContext.h"
#include "lsp/features/names/NameResolver.h"

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

enum class CompletionKind : uint8_t {
  Module,
  Function,
  Method,
  Class,
  Property,
  Field,
  Constant,
  Variable,
  Argument,
  Value,
  Keyword,
};

struct Completion {
  std::string label;
  CompletionKind kind;
  std::string detail;        // signature, type, or kind
  std::string documentation; // Markdown
  unsigned rank = 0;         // lower ones come first, among those with the same distance
  unsigned distance = 0; // from the text that was typed; 0 if it is the same, or if there is none
  bool hasOtherCase = false; // does not begin with the text as it was typed
};
struct Completions {
  text::Range replaces; // the word at the cursor
  std::vector<Completion> items;
};
struct CompletionScope {
  bool plainPython = false;  // also names of plain Python, outside kernels
  bool besidePython = false; // another server completes names in scope
};
Completions completionsAt(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
                          CompletionScope scope);

struct Signature {
  std::string label, documentation;
  struct Parameter {
    text::Range range; // in the label
    std::string documentation;
  };
  std::vector<Parameter> parameters;
  unsigned active = 0; // the parameter at the cursor; parameters.size() if it is none of them
};
// Returns the signature of the innermost call around the cursor whose function is known.
std::optional<Signature> signatureAt(NameResolver& resolver, const IndexedFile& file,
                                     text::Offset offset, bool plainPython);

} // namespace gluond::lsp
