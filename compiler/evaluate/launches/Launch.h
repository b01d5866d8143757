// A launch: one specialization of one kernel, as the host code that was evaluated would ask for it.
//
// Values and types belong to the ModuleEvaluation (or whatever heap the evaluation ran over). The
// rules are those of triton/runtime/jit.py: an int that is 1 becomes a constexpr, ints and pointers
// divisible by 16 are marked, a float is fp32, a bool u1, a tensor a pointer to its dtype;
// annotations win.
#pragma once

#include "evaluate/interpreter/PythonError.h"
#include "language/types/Type.h"
#include "language/values/Value.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gluond::evaluate {

struct LaunchArgument {
  Name name;
  // A scalar, pointer or tensor descriptor; null for a constexpr and for a tuple.
  const language::Type* type = nullptr;
  language::Value constant; // the value of a constexpr (isConstexpr)
  bool isConstexpr = false;
  std::optional<unsigned> divisibleBy;  // 16
  std::optional<unsigned> pointerRange; // 32, AMD
  bool isTuple = false;
  std::vector<LaunchArgument> elements; // of a tuple
  llvm::ArrayRef<Name> fields = {};     // of a namedtuple
  const language::ClassObject* tupleClass = nullptr;
  unsigned inputRank = 0; // of an im2col descriptor
  // The host value was not known: type and specialization are what such an argument usually is.
  bool isAssumed = false;
  // What the host code passes: a number, a tensor or descriptor (Torch.h). Unknown where that is
  // not known, and for constexprs and tuples, which have theirs above.
  language::Value host = language::Value::unknown();
};

struct LaunchOption {
  std::string name; // "num_warps", "num_ctas", "maxnreg", ...
  language::Value value;
};

struct Launch {
  std::string id; // "memcpy_kernel.cuda90.0", unique in the file
  const language::FunctionObject* kernel = nullptr;
  std::string target; // "cuda:90"
  std::vector<LaunchOption>
      options; // num_warps always; others where they differ from the backend's defaults
  std::vector<LaunchArgument> arguments; // one for each parameter, in order
  std::vector<Place> places;             // the call chain of the first such launch, outermost first
  // How many programs, x, y, z; nothing where that is not known. Of several launches that share a
  // specialization, host values and grid are those of the largest.
  std::optional<std::array<int64_t, 3>> grid;
  bool isCertain = true; // false: below a condition that was not known, or inside pytest.raises
  // Found by calling a function with unknown arguments, because nothing in the file calls it.
  bool isBlind = false;
  bool isDefault = false; // no launch was found: typed defaults
};

// The signature string of launch records: "i32", "*fp16", "*ki8", "constexpr", "tensordesc", ...
std::string signature(const LaunchArgument& argument);

} // namespace gluond::evaluate
