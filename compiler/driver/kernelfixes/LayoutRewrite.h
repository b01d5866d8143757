// Rewrites a call that makes a layout into one that makes another layout, in the user's own words.
//
// Layouts in kernels are written in terms of parameters: [1, per_thread], [num_warps, 1]. A lint
// knows the numbers of one launch. Writing these down would break the next launch, so existing
// expressions are moved, multiplied or divided, and only numbers are replaced by other numbers.
#pragma once

#include "driver/program/LayoutExpression.h"

#include <string>
#include <vector>

namespace gluond::driver {

struct LayoutRewrite {
  std::vector<text::Edit> edits; // of the arguments that differ; may be empty
  std::string text;              // of the whole call after the edits
  // True if a number replaced an expression: the edit is right only for the launch in question.
  bool isForOneLaunch = false;
};

// `call` makes `from`. Returns nullopt if the text does not show how to turn it into `to`.
std::optional<LayoutRewrite> rewriteLayout(const syntax::Call& call, const layout::Layout& from,
                                           const layout::Layout& to,
                                           const syntax::SyntaxTree& tree);

} // namespace gluond::driver
