#include "cli/input/Commands.h"
#include "cli/output/Output.h"
#include "driver/inspect/LayoutMap.h"
#include "driver/inspect/LayoutStudy.h"
#include "lsp/handlers/panels/LayoutMap.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <nlohmann/json.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

namespace gluond::cli {

namespace {

unsigned terminalColumns() {
  winsize size{};
  return ::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 120;
}

} // namespace

int showLayout(const LayoutOptions& options) {
  driver::LayoutRequest request{options.expression,
                                {},
                                options.dtype,
                                options.target.empty() ? chips::standardTarget.str()
                                                       : options.target};
  if (!options.shape.empty()) {
    auto shape = driver::parseShape(options.shape);
    if (!shape) {
      complain("--shape takes sizes such as 32x64, not '" + options.shape + "'");
      return wrongUse;
    }
    request.shape = std::move(*shape);
  }
  Interner names;
  auto map = driver::layoutMap(names, request);
  if (!map) {
    complain(map.error());
    return wrongUse;
  }
  Output out(options.format == "text" ? Content::Text : Content::Data);
  if (options.format == "json")
    out << lsp::dumpJson(lsp::encodeLayout(map->picture)) << "\n";
  else if (options.format == "svg")
    out << layout::renderSvg(map->picture);
  else
    out << layout::renderText(map->picture, {.columns = terminalColumns()});
  if (options.format == "text" && !map->slots.empty())
    out << "one of "
        << llvm::join(llvm::map_range(map->slots, [](int64_t n) { return std::to_string(n); }),
                      " x ")
        << " slots, which look all the same\n";
  out.flush();
  // A target that is not named is no reason to refuse a layout of another one.
  auto isImpossible = [&](const chips::Chip& chip) {
    return !driver::impossibleOn(chip.target.str(), *map).empty();
  };
  bool isPossible = true;
  if (!options.target.empty() || llvm::all_of(chips::allChips(), isImpossible))
    for (const driver::StudyWarning& why : driver::impossibleOn(request.target, *map)) {
      complain(why.message);
      isPossible = false;
    }
  return out.ok() && isPossible ? fine : findings;
}

} // namespace gluond::cli
