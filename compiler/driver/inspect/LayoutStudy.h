// A layout tried out: what the playground shows while its parameters are edited. What it would cost
// to access a row-major (or otherwise strided) tensor with it, how it meets a shared memory layout,
// and what deserves a warning.
#pragma once

#include "driver/inspect/LayoutMap.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/SharedAccess.h"
#include "layout/exchange/ConvertLayout.h"
#include "layout/exchange/SharedExchange.h"

namespace gluond::driver {

struct StudyRequest {
  LayoutRequest layout;
  std::vector<int64_t> strides; // elements; empty: row-major
  std::string
      shared; // a shared layout to meet (or the registers, where `layout` is shared); may be empty
};

struct StudyWarning {
  std::string severity; // "error": impossible on the target; "warning", "information", "hint"
  std::string message;
};
struct LayoutStudy {
  LayoutMap map;
  std::vector<int64_t> strides;
  std::optional<layout::GlobalAccessCost> global; // distributed layouts of a known dtype
  std::optional<LayoutMap> partner;               // `shared`, made visible
  std::optional<layout::SharedTraffic> traffic;   // with the partner
  int64_t registers = 0;                          // 32-bit ones a thread, for this tensor
  std::vector<StudyWarning> warnings;
};
// The error is a sentence for the user.
tl::expected<LayoutStudy, std::string> studyLayout(Interner& names, const StudyRequest& request);

// Two layouts of one tensor.
struct ConversionStudy {
  LayoutMap from, to;
  layout::ConversionCost cost;
  std::string summary; // what moves how, one line
  // Of a warp, where gluond compiles the conversion and threads exchange anything.
  std::optional<layout::ExchangeInstructions> instructions;
};
tl::expected<ConversionStudy, std::string>
studyConversion(Interner& names, const LayoutRequest& from, const std::string& to);

// What a conversion of that cost does, in a sentence.
std::string describe(const layout::ConversionCost& cost);

} // namespace gluond::driver
