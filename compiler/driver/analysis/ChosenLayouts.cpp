#include "driver/analysis/ChosenLayouts.h"

#include "driver/program/EvaluatedFile.h"
#include "driver/program/OpPlaces.h"
#include "ir/layouts/Layouts.h"
#include "layout/named/Spelling.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <tuple>

namespace gluond::driver {

// Includes the parent of a slice.
static bool leavesLayoutOpen(llvm::StringRef layout) {
  return layout.contains("AutoLayout(") || layout.contains("CoalescedLayout(");
}
static bool isLeftOpen(const codegen::TypeFact& type) {
  return type.kind == codegen::FactKind::Tensor && leavesLayoutOpen(type.layout);
}
bool isChosenLayout(const codegen::TypeFact& type) {
  return type.kind == codegen::FactKind::Tensor && leavesLayoutOpen(type.text) && !isLeftOpen(type);
}

bool leavesLayoutsOpen(const codegen::ExpressionFacts& facts) {
  return llvm::any_of(facts.types, isLeftOpen);
}

// An expression is found by its place; a name has the layout of its last assignment.
void tellChosenLayouts(codegen::ExpressionFacts& facts, mlir::ModuleOp module,
                       const EvaluatedFile& program) {
  struct Chosen {
    std::string layout;
    llvm::SmallVector<int64_t, 4> shape;
  };
  std::map<std::tuple<uint32_t, text::Offset, text::Offset>, Chosen> byPlace;
  auto key = [](const diagnostics::Location& place) {
    return std::tuple(place.file.id, place.range.begin, place.range.end);
  };
  PlaceReader places(program);
  module.walk([&](mlir::Operation* op) {
    for (mlir::Type type : op->getResultTypes()) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
      layout::Layout layout = tensor ? ir::toLayout(tensor.getEncoding()) : layout::Layout();
      if (!layout) continue;
      if (auto place = places.read(op->getLoc()).place)
        byPlace.try_emplace(
            key(*place),
            Chosen{layout::spelling(layout), {tensor.getShape().begin(), tensor.getShape().end()}});
    }
  });
  auto nameAt = [&](const diagnostics::Location& place) -> llvm::StringRef {
    const auto* part = llvm::find_if(program.parts(), [&](const EvaluatedFile::Part& each) {
      return each.file->id() == place.file;
    });
    llvm::StringRef text =
        part != program.parts().end() ? part->file->text().slice(place.range) : llvm::StringRef();
    return llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; })
               ? text
               : llvm::StringRef();
  };
  std::map<std::pair<uint32_t, std::string>, uint32_t> ofName; // by file: current type
  for (size_t i = 0; i < facts.expressions.size(); ++i) {
    codegen::ExpressionFact& fact = facts.expressions[i];
    llvm::StringRef name = nameAt(fact.location);
    if (!isLeftOpen(facts.types[fact.type])) {
      if (!name.empty()) ofName.erase({fact.location.file.id, name.str()});
      continue;
    }
    auto matches = [&](llvm::ArrayRef<int64_t> shape) {
      return shape == llvm::ArrayRef(facts.types[fact.type].shape);
    };
    auto found = byPlace.find(key(fact.location));
    if (found != byPlace.end() && matches(found->second.shape)) {
      codegen::TypeFact type = facts.types[fact.type];
      type.layout = found->second.layout;
      facts.types.push_back(std::move(type));
      fact.type = static_cast<uint32_t>(facts.types.size() - 1);
      continue;
    }
    if (name.empty()) continue;
    // The fact of an assigned name directly follows that of its value.
    const codegen::ExpressionFact* value = i ? &facts.expressions[i - 1] : nullptr;
    auto& now = ofName[{fact.location.file.id, name.str()}];
    if (value && value->location.file == fact.location.file &&
        value->location.range.begin > fact.location.range.end &&
        isChosenLayout(facts.types[value->type]))
      now = value->type + 1;
    if (now && matches(facts.types[now - 1].shape)) fact.type = now - 1;
  }
}

} // namespace gluond::driver
