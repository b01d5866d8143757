// Computes the values that the playground shows while a layout's parameters are edited: the cost of
// accessing a row-major (or otherwise strided) tensor with it, how it combines with a shared memory
// layout, and warnings.
#pragma once

#include "driver/inspect/LayoutMap.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/SharedAccess.h"
#include "layout/exchange/ConvertLayout.h"
#include "layout/exchange/SharedExchange.h"

namespace gluond::driver {

struct StudyRequest {
  LayoutRequest layout;
  std::vector<int64_t> strides; // in elements; empty for row-major
  std::string
      shared; // a shared layout to combine with (or registers, if `layout` is shared); may be empty
};

struct StudyWarning {
  std::string severity; // "error" (impossible on the target), "warning", "information", "hint"
  std::string message;
};
// Why the layout is impossible on the target, in sentences; none if it is possible there.
std::vector<StudyWarning> impossibleOn(const std::string& target, const LayoutMap& map);

struct LayoutStudy {
  LayoutMap map;
  std::vector<int64_t> strides;
  std::optional<layout::GlobalAccessCost> global; // for distributed layouts of a known dtype
  std::optional<LayoutMap> partner;               // the map of `shared`
  std::optional<layout::SharedTraffic> traffic;   // with the partner
  int64_t registers = 0;                          // 32-bit registers per thread for this tensor
  std::vector<StudyWarning> warnings;
};
// The error is a sentence for the user.
tl::expected<LayoutStudy, std::string> studyLayout(Interner& names, const StudyRequest& request);

// A study of two layouts of one tensor.
struct ConversionStudy {
  LayoutMap from, to;
  layout::ConversionCost cost;
  int64_t sharedBytes = 0; // for what moves in one round
  std::string summary;     // one line on what moves and how
  // For one warp; set if gluond compiles the conversion and threads exchange data.
  std::optional<layout::ExchangeInstructions> instructions;
};
tl::expected<ConversionStudy, std::string> studyConversion(Interner& names,
                                                           const LayoutRequest& from,
                                                           const std::string& to,
                                                           bool isInLoop = false);

} // namespace gluond::driver
