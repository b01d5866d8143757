// What codegen found out about a kernel, for the editor: what each expression is, and which lines of the IR come
// from it. Recorded only when asked for (hover, inlay hints, the IR explorer); plain data that outlives every context.
#pragma once

#include "diagnostics/Diagnostic.h"

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gluond::codegen {

enum class FactKind : uint8_t { Tensor, Scalar, Pointer, MemoryDescriptor, TensorDescriptor, Tuple, Aggregate, Constexpr, Other };

// One distinct type or compile-time value.
struct TypeFact {
  FactKind kind = FactKind::Other;
  std::string text;              // as Triton's messages print it; a constexpr's repr
  std::string dtype;             // "float16"; empty when there is none
  std::string layout;            // as the user would write it; empty when there is none
  llvm::SmallVector<int64_t, 4> shape;
  uint64_t bytes = 0;            // of one value over all threads; 0 when it has no size
};

// An expression, parameter or assigned name of the user's and what it is.
struct ExpressionFact {
  diagnostics::Location location;
  uint32_t type;                 // into Facts::types
};

struct Facts {
  std::vector<TypeFact> types;
  std::vector<ExpressionFact> expressions; // in order of evaluation; a place visited more than once appears once
};

} // namespace gluond::codegen
