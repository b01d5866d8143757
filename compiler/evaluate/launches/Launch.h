// A launch: one specialization of one kernel, as requested by the evaluated host code.
//
// Values and types belong to the ModuleEvaluation (or the heap that the evaluation used). The rules
// are those of triton/runtime/jit.py: an int that is 1 becomes a constexpr, ints and pointers
// divisible by 16 are marked, a float is fp32, a bool u1, a tensor a pointer to its dtype;
// annotations take precedence.
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
  std::vector<LaunchArgument> elements; // for a tuple
  llvm::ArrayRef<Name> fields = {};     // for a namedtuple
  const language::ClassObject* tupleClass = nullptr;
  unsigned inputRank = 0; // for an im2col descriptor
  // The host value was not known; type and specialization are the usual ones for such an argument.
  bool isAssumed = false;
  // The uses of the parameter in the kernel decide whether it is a pointer (AssumedTypes.h).
  bool isTypeAssumed = false;
  // Neither the host value nor an annotation gives the dtype: of a number, or of the elements of a
  // pointer or descriptor.
  bool isDtypeAssumed = false;
  // The value that the host code passes: a number, a tensor or descriptor (Torch.h). It is Unknown
  // if it is not known, and for constexprs and tuples, whose values are in the members above.
  language::Value host = language::Value::unknown();
};

struct LaunchOption {
  std::string name; // "num_warps", "num_ctas", "maxnreg", ...
  language::Value value;
};

// A number of a grid that the program computed by a division: `number // divisor`, which is also
// how triton.cdiv(n, BLOCK) computes, of n + BLOCK - 1.
struct GridQuotient {
  int64_t number, divisor;
  bool operator==(const GridQuotient&) const = default;
};

struct Launch {
  std::string id; // "memcpy_kernel.cuda90.0", unique in the file
  const language::FunctionObject* kernel = nullptr;
  std::string target; // "cuda:90"
  std::vector<LaunchOption>
      options; // always num_warps; others if they differ from the backend's defaults
  std::vector<LaunchArgument> arguments; // one for each parameter, in order
  std::vector<Place> places;             // the call chain of the first such launch, outermost first
  // The number of programs in x, y, z; nullopt if not known. If several launches share a
  // specialization, host values and grid are those of the largest.
  std::optional<std::array<int64_t, 3>> grid;
  unsigned gridNumbers = 3; // that the program gave; further ones are 1
  // For each number of the grid the latest divisions with that result.
  std::array<std::vector<GridQuotient>, 3> gridQuotients{};
  // False under an unknown condition, inside pytest.raises, and after a possible skip.
  bool isCertain = true;
  // Found by calling a function with unknown arguments, because the file does not call it.
  bool isBlind = false;
  // One of several configurations of an autotuner, which leaves out those that fail an assertion or
  // need more than the chip has (triton/runtime/autotuner.py, Autotuner._bench).
  bool isOneOfConfigs = false;
  bool isExpectedToFail = false; // Interpreter::isExpectingFailure(), at each such launch
  bool isDefault = false;        // no launch was found; arguments are typed defaults
};

// The signature string of launch records: "i32", "*fp16", "*ki8", "constexpr", "tensordesc", ...
std::string signature(const LaunchArgument& argument);

} // namespace gluond::evaluate
