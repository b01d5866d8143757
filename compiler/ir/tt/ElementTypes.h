// Families of element types. Each takes a type, or a tensor of it.
#pragma once

#include <mlir/IR/Types.h>

#include <cstdint>
#include <optional>

namespace gluond::chips {
enum class MfmaOperand : uint8_t;
}

namespace gluond::tt {

// Whether it is one of the floats of 8 bits.
bool isFloat8(mlir::Type type);

// Whether it is one of the floats of 8 bits that NVIDIA's chips have.
bool isNvidiaFloat8(mlir::Type type);

// Whether mma.sync and wgmma multiply such elements.
bool isMmaElement(mlir::Type type);

// Returns what MFMA takes such elements for; nothing if it cannot multiply them.
std::optional<chips::MfmaOperand> mfmaOperandOf(mlir::Type type);

} // namespace gluond::tt
