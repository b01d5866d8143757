// A text under many edits, as one message of a client may hold them: each costs what its own lines
// cost and the way from the edit before, not a copy of the text.
#pragma once

#include "lsp/protocol/Messages.h"
#include "lsp/server/Session.h"

#include <string>
#include <vector>

namespace gluond::lsp {

class EditedLines {
public:
  EditedLines(const text::SourceText& text, PositionEncoding encoding);

  // Positions outside the text are clamped to it.
  void replace(Range range, llvm::StringRef put);
  std::string text() const;

private:
  size_t count() const { return above_.size() + below_.size(); }
  void goTo(size_t line);
  size_t offsetIn(llvm::StringRef line, uint32_t character) const;

  PositionEncoding encoding_;
  // Lines with their ends. Those below the last edit are in reverse: the next one is the last.
  std::vector<std::string> above_, below_;
};

// The text after the changes of a didChange, each to the text that the one before left.
text::SourceText afterChanges(const text::SourceText& text, llvm::ArrayRef<ContentChange> changes,
                              PositionEncoding encoding);

} // namespace gluond::lsp
