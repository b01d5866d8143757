#include "text/PartWithEdits.h"

#include <vector>

namespace gluond::text {

std::string withEdits(const SourceText& source, Range part, llvm::ArrayRef<Edit> edits) {
  std::vector<Edit> moved(edits.begin(), edits.end());
  for (Edit& edit : moved)
    edit.range = {edit.range.begin - part.begin, edit.range.end - part.begin};
  return withEdits(SourceText(source.slice(part).str()), moved);
}

} // namespace gluond::text
