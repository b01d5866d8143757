// Which machine an ELF file is for. The rest of an AMD code object is read by hip/CodeObject.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace gluond::runner::device {

constexpr uint16_t amdgpuMachine = 224;

// Returns nullopt for what is no ELF file, such as PTX.
inline std::optional<uint16_t> machineOf(std::string_view code) {
  constexpr size_t place = 18; // after the identification and the type
  uint16_t machine;
  if (!code.starts_with("\x7f"
                        "ELF") ||
      code.size() < place + sizeof(machine))
    return std::nullopt;
  std::memcpy(&machine, code.data() + place, sizeof(machine));
  return machine;
}

} // namespace gluond::runner::device
