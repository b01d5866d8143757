#include "driver/program/OpPlaces.h"

#include <mlir/IR/BuiltinAttributes.h>

#include <algorithm>

namespace gluond::driver {

OpPlace PlaceReader::read(mlir::Location location) const {
  OpPlace result;
  mlir::Location at = location;
  while (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(at)) {
    if (auto caller = first(call.getCaller())) result.calls.push_back(*caller);
    at = call.getCallee();
  }
  std::reverse(result.calls.begin(), result.calls.end());
  result.place = first(at);
  return result;
}

std::optional<diagnostics::Location> PlaceReader::first(mlir::Location location) const {
  std::optional<diagnostics::Location> found;
  location->walk([&](mlir::Location part) {
    auto range = llvm::dyn_cast<mlir::FileLineColRange>(mlir::LocationAttr(part));
    if (!range) return mlir::WalkResult::advance();
    const Program::Part* file = program_.part(range.getFilename().getValue());
    if (!file) return mlir::WalkResult::advance();
    const text::SourceText& text = file->file->text();
    auto offset = [&](unsigned line, unsigned column) {
      line = std::clamp(line, 1u, text.lineCount());
      return std::min<text::Offset>(text.lineStart(line - 1) + std::max(column, 1u) - 1,
                                    text.size());
    };
    found = {file->file->id(),
             {offset(range.getStartLine(), range.getStartColumn()),
              offset(range.getEndLine(), range.getEndColumn())}};
    return mlir::WalkResult::interrupt();
  });
  return found;
}

} // namespace gluond::driver
