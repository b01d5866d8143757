#include "lowering/tensors/FmaDot.h"

#include <array>

namespace gluond::lowering {

std::map<int32_t, Places> placesOf(const LinearLayout& layout) {
  std::map<int32_t, Places> places;
  for (auto [r, place] : llvm::enumerate(registerPlaces(layout))) {
    layout::Coordinates at = layout.unpack(place);
    places[at.size() == 3 ? at[0] : 0].try_emplace({at[at.size() - 2], at.back()},
                                                   static_cast<unsigned>(r));
  }
  return places;
}

// Distinct rows or columns, in order.
llvm::SmallVector<int32_t> distinct(const Places& places, bool rows) {
  llvm::SmallVector<int32_t> values;
  for (auto& [at, number] : places)
    values.push_back(rows ? at.first : at.second);
  llvm::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// If a batch comes first, these are products of matrices side by side.
bool fmaDot(FunctionEmitter& e, tt::DotOp op) {
  using Place = std::array<int32_t, 3>; // batch, row, column
  auto placesIn = [&](mlir::Type type) {
    const LinearLayout& layout = e.layoutOf(type);
    std::map<Place, unsigned> places;
    for (auto [r, packed] : llvm::enumerate(registerPlaces(layout))) {
      layout::Coordinates at = layout.unpack(packed);
      Place place{0, at[at.size() - 2], at.back()};
      if (at.size() == 3) place[0] = at[0];
      places.try_emplace(place, static_cast<unsigned>(r));
    }
    return places;
  };
  auto a = placesIn(op.getA().getType()), b = placesIn(op.getB().getType());
  Registers aRegisters = e.get(op.getA()), bRegisters = e.get(op.getB());
  llvm::SmallVector<int32_t> ks;
  for (auto& [at, number] : a)
    ks.push_back(at[2]);
  llvm::sort(ks);
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  llvm::Type* type = e.elementType(op.getType());
  RegisterList sums(e.get(op.getC()));
  for (auto& [at, number] : placesIn(op.getType()))
    for (int32_t k : ks) {
      auto left = a.find({at[0], at[1], k}), right = b.find({at[0], k, at[2]});
      if (left == a.end() || right == b.end())
        return e.fail(
            op,
            "the operands' layouts do not hold the elements that the threads of the result need");
      llvm::Value *x = aRegisters[left->second], *y = bRegisters[right->second];
      if (type->isFloatingPointTy()) {
        if (x->getType() != type) x = e.b.CreateFPExt(x, type);
        if (y->getType() != type) y = e.b.CreateFPExt(y, type);
        sums[number] = e.b.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {x, y, sums[number]});
      } else {
        sums[number] = e.b.CreateAdd(
            sums[number], e.b.CreateMul(e.b.CreateSExt(x, type), e.b.CreateSExt(y, type)));
      }
    }
  e.set(op.getResult(), sums);
  return true;
}

} // namespace gluond::lowering
