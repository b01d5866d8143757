#include "driver/analysis/PrintedModule.h"

#include "driver/program/OpPlaces.h"
#include "ir/Context.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/AsmState.h>

namespace gluond::driver {

std::string printWithPlaces(mlir::ModuleOp module, const EvaluatedFile& program,
                            std::vector<LineOrigin>* lines) {
  if (!lines) return ir::printModule(module);
  std::string text;
  mlir::AsmState::LocationMap places;
  mlir::OpPrintingFlags flags;
  flags.assumeVerified();
  mlir::AsmState state(module, flags, &places);
  llvm::raw_string_ostream out(text);
  module->print(out, state);
  PlaceReader reader(program);
  for (const auto& [op, position] : places) {
    OpPlace place = reader.read(op->getLoc());
    if (place.place && position.first > 0)
      lines->push_back({position.first - 1, *place.place, std::move(place.calls)});
  }
  llvm::sort(*lines, [](const LineOrigin& a, const LineOrigin& b) { return a.line < b.line; });
  return text;
}

} // namespace gluond::driver
