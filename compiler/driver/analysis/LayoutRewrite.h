// A call that makes a layout, rewritten to make another one in the user's own words.
//
// Layouts of kernels are written in terms of parameters: [1, per_thread], [num_warps, 1]. A lint
// knows the numbers of one launch. Writing these down would break the next launch, so that what
// stands there is moved, multiplied or divided, and only numbers become other numbers.
#pragma once

#include "driver/program/LayoutExpression.h"

#include <string>
#include <vector>

namespace gluond::driver {

struct LayoutRewrite {
  std::vector<text::Edit> edits; // of the arguments that differ; empty: none does
  std::string text;              // of the whole call afterwards
  // A number took the place of an expression: right for the launch that it was computed for.
  bool isForOneLaunch = false;
};

// `call` makes `from`; nothing where the text does not show how to make `to` of it.
std::optional<LayoutRewrite> rewriteLayout(const syntax::Call& call, const layout::Layout& from,
                                           const layout::Layout& to,
                                           const syntax::SyntaxTree& tree);

} // namespace gluond::driver
