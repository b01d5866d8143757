// Code objects (hsaco) for tests: ELF with the metadata that AMD's tools write, and no code.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gluond::runner {

// A kernel with arguments of these sizes and a hidden one, 84 VGPRs, 16 AGPRs, 30 SGPRs, and 3
// spilled VGPRs.
inline std::string codeObject(const std::string& arch, const std::string& kernel,
                              const std::vector<unsigned>& sizes,
                              const std::string& triple = "amdgcn-amd-amdhsa--") {
  using Json = nlohmann::json;
  Json arguments = Json::array();
  unsigned offset = 0;
  for (unsigned size : sizes) {
    arguments.push_back({{".offset", offset}, {".size", size}, {".value_kind", "by_value"}});
    offset += 8;
  }
  arguments.push_back(
      {{".offset", offset}, {".size", 4u}, {".value_kind", "hidden_block_count_x"}});
  Json metadata = {{"amdhsa.target", triple + arch},
                   {"amdhsa.version", {1u, 2u}},
                   {"amdhsa.kernels", Json::array({{{".name", kernel},
                                                    {".args", arguments},
                                                    {".vgpr_count", 84u},
                                                    {".agpr_count", 16u},
                                                    {".sgpr_count", 30u},
                                                    {".vgpr_spill_count", 3u},
                                                    {".sgpr_spill_count", 0u},
                                                    {".wavefront_size", 64u}}})}};
  std::vector<uint8_t> packed = Json::to_msgpack(metadata);
  auto number = [](std::string& out, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
      out += static_cast<char>(value >> 8 * i);
  };
  std::string note;
  number(note, 7, 4); // of "AMDGPU" and its NUL
  number(note, packed.size(), 4);
  number(note, 32, 4);
  note.append("AMDGPU\0\0", 8);
  note.append(packed.begin(), packed.end());
  std::string elf("\x7f"
                  "ELF\x02\x01\x01\x40\x03",
                  9);
  elf.resize(16);
  number(elf, 3, 2); // a shared object
  number(elf, 224, 2);
  number(elf, 1, 4);
  number(elf, 0, 8);
  number(elf, 64, 8); // program headers follow
  number(elf, 0, 8);
  number(elf, 0x54c, 4);
  for (uint64_t field : {64, 56, 1, 64, 0, 0})
    number(elf, field, 2);
  number(elf, 4, 4); // notes
  number(elf, 4, 4);
  for (uint64_t field : {uint64_t{120}, uint64_t{120}, uint64_t{120}, uint64_t{note.size()},
                         uint64_t{note.size()}, uint64_t{4}})
    number(elf, field, 8);
  return elf + note;
}

} // namespace gluond::runner
