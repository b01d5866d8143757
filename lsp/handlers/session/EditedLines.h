// Applies many edits to a text, as in one message of a client: the cost of each depends on its own
// lines and the distance to the previous edit, not on the size of the text.
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

  PositionEncoding encoding_;
  // Lines with their ends. Those after the last edit are reversed: the next line is at the end.
  std::vector<std::string> above_, below_;
};

// Applies the changes of a didChange in order, each to the result of the previous one.
text::SourceText afterChanges(const text::SourceText& text, llvm::ArrayRef<ContentChange> changes,
                              PositionEncoding encoding);

} // namespace gluond::lsp
