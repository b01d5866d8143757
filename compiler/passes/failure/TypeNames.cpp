#include "passes/failure/TypeNames.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/TypeSwitch.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/TypeUtilities.h>

namespace gluond::passes {
using namespace mlir;

std::string gluonName(Type type) {
  return llvm::TypeSwitch<Type, std::string>(getElementTypeOrSelf(type))
      .Case([](Float64Type) { return "float64"; })
      .Case([](Float32Type) { return "float32"; })
      .Case([](Float16Type) { return "float16"; })
      .Case([](BFloat16Type) { return "bfloat16"; })
      .Case([](Float8E5M2Type) { return "float8e5"; })
      .Case([](Float8E4M3FNType) { return "float8e4nv"; })
      .Case([](Float8E5M2FNUZType) { return "float8e5b16"; })
      .Case([](Float8E4M3FNUZType) { return "float8e4b8"; })
      .Case([](IntegerType integer) { return "int" + std::to_string(integer.getWidth()); })
      .Default([](Type other) {
        std::string out;
        llvm::raw_string_ostream(out) << other;
        return out;
      });
}

std::string spelled(ArrayRef<unsigned> shape) {
  return "[" +
         llvm::join(llvm::map_range(shape, [](unsigned size) { return std::to_string(size); }),
                    ", ") +
         "]";
}

} // namespace gluond::passes
