#include "simulate/values/ElementNames.h"

#include <llvm/ADT/STLExtras.h>

#include <string>

namespace gluond::simulate {

static constexpr llvm::StringLiteral names[] = {"int1",  "int8",    "int16",    "int32", "int64",
                                                "fp16",  "bf16",    "fp32",     "fp64",  "fp8e4nv",
                                                "fp8e5", "fp8e4b8", "fp8e5b16", "e8m0"};
static_assert(std::size(names) == static_cast<size_t>(Element::E8M0) + 1);

llvm::StringRef nameOf(Element element) {
  return names[static_cast<size_t>(element)];
}

std::optional<Element> elementNamed(llvm::StringRef name) {
  // Signed and unsigned integers are the same bits.
  unsigned bits;
  llvm::StringRef number = name.drop_front(name.empty() ? 0 : 1);
  bool isInteger =
      (name.starts_with("i") || name.starts_with("u")) && !number.getAsInteger(10, bits);
  std::string wanted = isInteger ? "int" + std::to_string(bits) : name.str();
  for (auto [i, each] : llvm::enumerate(names))
    if (each == wanted) return static_cast<Element>(i);
  return std::nullopt;
}

} // namespace gluond::simulate
