#include "ir/ttg/AttributeFields.h"

#include <mlir/IR/Builders.h>

using namespace mlir;

namespace gluond::ttg {

using layout::Dim;
using layout::LinearLayout;

std::optional<LinearLayout> AttributeFields::linear(ArrayRef<Dim> ins, unsigned rank) {
  if (!ok_) return std::nullopt;
  SmallVector<layout::Bases, 4> bases(ins.size());
  for (auto [dim, columns] : llvm::zip(ins, bases)) {
    Attribute attr = dict_.get(layout::name(dim));
    if (!attr) {
      fail() << "Expected basis of '" << layout::name(dim) << "' not found";
      return std::nullopt;
    }
    auto array = dyn_cast<ArrayAttr>(attr);
    if (!array) {
      fail() << "Expected array of arrays for basis of '" << layout::name(dim) << "'";
      return std::nullopt;
    }
    for (Attribute element : array) {
      auto basis = dyn_cast<ArrayAttr>(element);
      if (!basis) {
        fail() << "Expected array of integers in basis for '" << layout::name(dim) << "'";
        return std::nullopt;
      }
      layout::Coordinates& coordinates = columns.emplace_back();
      for (Attribute value : basis) {
        auto integer = dyn_cast<IntegerAttr>(value);
        if (!integer || integer.getValue().getSignificantBits() > 32) {
          fail() << "Expected integer in basis for '" << layout::name(dim) << "'";
          return std::nullopt;
        }
        coordinates.push_back(static_cast<int32_t>(integer.getValue().getSExtValue()));
      }
    }
  }
  unsigned found = 0;
  for (const auto& columns : bases)
    if (!columns.empty()) {
      found = static_cast<unsigned>(columns.front().size());
      break;
    }
  if (found == 0 && rank == 0) {
    fail() << "Empty Layout not supported";
    return std::nullopt;
  }
  if (found != 0 && rank != 0 && found != rank) {
    fail() << "Serialized rank and rank deduced from LL need to match";
    return std::nullopt;
  }
  rank = found ? found : rank;
  if (rank > layout::maxRank) {
    fail() << "layouts have at most " << layout::maxRank << " dimensions";
    return std::nullopt;
  }
  SmallVector<LinearLayout::InBases, 4> inputs;
  for (auto [dim, columns] : llvm::zip(ins, bases))
    inputs.push_back({dim, columns});
  auto made = LinearLayout::fromBases(inputs, layout::tensorDims(rank));
  if (made) return std::move(*made);
  fail() << made.error();
  return std::nullopt;
}

CGAEncodingAttr parseCGALayout(AsmParser& parser, Attribute attr, unsigned rank) {
  if (rank > layout::maxRank) {
    parser.emitError(parser.getNameLoc())
        << "layouts have at most " << layout::maxRank << " dimensions";
    return {};
  }
  if (!attr) return CGAEncodingAttr::get1CTALayout(parser.getContext(), rank);
  if (auto cga = dyn_cast<CGAEncodingAttr>(attr)) return cga;
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array) {
    parser.emitError(parser.getNameLoc(), "expected array value for 'CGALayout'");
    return {};
  }
  for (Attribute basis : array)
    if (auto values = dyn_cast<ArrayAttr>(basis); values && values.size() != rank) {
      parser.emitError(parser.getNameLoc())
          << "'CGALayout' entry length does not match rank " << rank;
      return {};
    }
  Builder builder(parser.getContext());
  AttributeFields fields(
      parser, builder.getDictionaryAttr(builder.getNamedAttr(layout::name(Dim::Block), array)));
  auto linear = fields.linear(Dim::Block, rank);
  return linear ? parser.getChecked<CGAEncodingAttr>(parser.getContext(), *linear)
                : CGAEncodingAttr();
}

} // namespace gluond::ttg
