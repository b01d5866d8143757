// The facts about a kernel that codegen records for the editor: the type of each expression, and
// the lines of the IR that come from it. Recorded only on request (hover, inlay hints, the IR
// explorer); plain data that outlives every context.
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
  Accumulator, // of a warpgroup_mma that may still run; shape, dtype and layout are the tensor's
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
  bool isTensorMemory = false; // of a MemoryDescriptor: false for shared memory
  std::string text;            // as Triton's messages print it; a constexpr's repr
  std::string dtype;           // "float16"; empty when there is none
  std::string layout;          // as the user would write it; empty when there is none
  llvm::SmallVector<int64_t, 4> shape;
  uint64_t bytes = 0;       // of one value over all threads; 0 when it has no size
  unsigned elementBits = 0; // of one element; 0 when it has none
  std::string className;    // name of an aggregate, a class or a layout; "dtype" for types
  unsigned layoutRank = 0;  // number of dimensions of a layout that has them
  // The row of a builtin, or of a builtin method bound to a value.
  const language::Builtin* builtin = nullptr;
  // The name in the `def` or `class` statement of a user's function, method or class, or of an
  // aggregate's class.
  std::optional<diagnostics::Location> definition;
  // Fields of an aggregate, or items of a tuple (with names only for a namedtuple).
  struct Member {
    std::string name;
    uint32_t type; // into ExpressionFacts::types
  };
  std::vector<Member> members;
};

// The part of a buffer that a memory descriptor shows, with an entry for each dimension of the
// buffer, in the view's order: those that the view selected from first.
struct ViewFact {
  std::string buffer; // as the program mentions it: "self.a_bufs"; empty if that is long
  llvm::SmallVector<int64_t, 4> sizes; // of the buffer
  llvm::SmallVector<std::optional<int64_t>, 4>
      offsets; // nullopt: known to the running kernel alone
};

// A user's expression, parameter or assigned name, and its type.
struct ExpressionFact {
  diagnostics::Location location;
  uint32_t type;                               // into ExpressionFacts::types
  std::optional<uint32_t> view = std::nullopt; // into ExpressionFacts::views
};

struct ExpressionFacts {
  std::vector<TypeFact> types;
  std::vector<ViewFact> views;
  std::vector<ExpressionFact>
      expressions; // in order of evaluation; a place visited repeatedly appears once
};

} // namespace gluond::codegen
