// What codegen found out about a kernel, for the editor: what each expression is, and which lines
// of the IR come from it. Recorded only when asked for (hover, inlay hints, the IR explorer); plain
// data that outlives every context.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gluond::codegen {

enum class FactKind : uint8_t {
  Tensor,
  Accumulator, // of warpgroup_mma that may still run: its shape, dtype and layout are the tensor's
  Scalar,
  Pointer,
  MemoryDescriptor,
  TensorDescriptor,
  Tuple,
  Aggregate,
  Constexpr,
  Other
};

// One distinct type or compile-time value.
struct TypeFact {
  FactKind kind = FactKind::Other;
  bool isTensorMemory = false; // of a MemoryDescriptor: tensor memory, else shared memory
  std::string text;            // as Triton's messages print it; a constexpr's repr
  std::string dtype;           // "float16"; empty when there is none
  std::string layout;          // as the user would write it; empty when there is none
  llvm::SmallVector<int64_t, 4> shape;
  uint64_t bytes = 0;       // of one value over all threads; 0 when it has no size
  unsigned elementBits = 0; // of one element; 0 when it has none
  std::string className;    // of an aggregate, a class, a layout: its name; "dtype" for types
  unsigned layoutRank = 0;  // of a layout: its dimensions, where it has them
  // A builtin, or a method of one bound to a value: its row.
  const language::Builtin* builtin = nullptr;
  // The name in the `def` or `class` of a function, method or class of the user's, and of an
  // aggregate's class.
  std::optional<diagnostics::Location> definition;
  // Fields of an aggregate, items of a tuple (without names unless it is a namedtuple).
  struct Member {
    std::string name;
    uint32_t type; // into Facts::types
  };
  std::vector<Member> members;
};

// An expression, parameter or assigned name of the user's and what it is.
struct ExpressionFact {
  diagnostics::Location location;
  uint32_t type; // into Facts::types
};

struct Facts {
  std::vector<TypeFact> types;
  std::vector<ExpressionFact>
      expressions; // in order of evaluation; a place visited more than once appears once
};

} // namespace gluond::codegen
