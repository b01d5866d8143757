#include "codegen/context/Locations.h"

namespace gluond::codegen {

FileLocations::FileLocations(mlir::MLIRContext& context, const SourceFile& file,
                             llvm::StringRef path)
    : file_(file), path_(mlir::StringAttr::get(&context, path)),
      pages_(file.nodeCount / pageSize + 1) {}

mlir::LocationAttr FileLocations::make(text::Range range) const {
  const text::SourceText& text = *file_.text;
  uint32_t first = text.lineOf(range.begin);
  bool isOneLine = first + 1 < text.lineCount() && range.end < text.lineStart(first + 1);
  uint32_t last = isOneLine ? first : text.lineOf(range.end);
  return mlir::FileLineColRange::get(path_, first + 1, range.begin - text.lineStart(first) + 1,
                                     last + 1, range.end - text.lineStart(last) + 1);
}

text::Range FileLocations::range(mlir::FileLineColRange location) const {
  const text::SourceText& text = *file_.text;
  auto offset = [&](unsigned line, unsigned column) -> text::Offset {
    if (line == 0 || line > text.lineCount()) return text.size();
    return std::min(text.lineStart(line - 1) + (column ? column - 1 : 0), text.size());
  };
  return {offset(location.getStartLine(), location.getStartColumn()),
          offset(location.getEndLine(), location.getEndColumn())};
}

} // namespace gluond::codegen
