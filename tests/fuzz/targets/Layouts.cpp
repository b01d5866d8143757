// What `gluond layout` and the panels take: an expression, a shape, a dtype, a target and another
// layout, a line each.
#include "../Target.h"
#include "driver/inspect/LayoutStudy.h"
#include "layout/picture/Picture.h"

#include <llvm/ADT/SmallVector.h>

namespace gluond::fuzz {

void layouts(llvm::StringRef input) {
  llvm::SmallVector<llvm::StringRef> lines;
  input.split(lines, '\n');
  lines.resize(5);
  Interner names;
  driver::LayoutRequest request{
      lines[0].str(), {}, lines[2].str(), lines[3].empty() ? "cuda:90" : lines[3].str()};
  if (auto shape = driver::parseShape(lines[1])) request.shape = std::move(*shape);
  if (auto map = driver::layoutMap(names, request)) {
    (void)layout::renderText(map->picture, {});
    (void)layout::renderSvg(map->picture);
  }
  (void)driver::studyLayout(names, {request, {}, lines[4].str()});
  (void)driver::studyConversion(names, request, lines[4].str());
}

} // namespace gluond::fuzz
