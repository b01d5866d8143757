#include "driver/program/OpPlaces.h"

#include "ir/Locations.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::driver {

OpPlace PlaceReader::read(mlir::Location location) const {
  OpPlace result;
  std::vector<mlir::Location> calls = ir::callersOf(location);
  for (mlir::Location call : llvm::reverse(calls))
    if (auto caller = first(call)) result.calls.push_back(*caller);
  result.place = first(ir::withoutCalls(location));
  return result;
}

std::optional<diagnostics::Location> PlaceReader::first(mlir::Location location) const {
  const EvaluatedFile::Part* file = nullptr;
  mlir::FileLineColRange range = ir::rangeOf(location, [&](mlir::FileLineColRange each) {
    return (file = program_.part(each.getFilename().getValue())) != nullptr;
  });
  if (!range) return std::nullopt;
  const text::SourceText& text = file->file->text();
  auto offset = [&](unsigned line, unsigned column) {
    line = std::clamp(line, 1u, text.lineCount());
    return std::min<text::Offset>(text.lineStart(line - 1) + std::max(column, 1u) - 1, text.size());
  };
  return diagnostics::Location{file->file->id(),
                               {offset(range.getStartLine(), range.getStartColumn()),
                                offset(range.getEndLine(), range.getEndColumn())}};
}

} // namespace gluond::driver
