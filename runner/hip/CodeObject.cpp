#include "runner/hip/CodeObject.h"

#include "runner/device/Elf.h"

#include <nlohmann/json.hpp>

#include <cstring>

namespace gluond::runner::hip {

namespace {

using Json = nlohmann::json;

// The parts of ELF for 64 bits that lead to notes.
struct Header {
  unsigned char identity[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, programHeaders, sectionHeaders;
  uint32_t flags;
  uint16_t size, programHeaderSize, programHeaderCount, sectionHeaderSize, sectionHeaderCount,
      names;
};
struct ProgramHeader {
  uint32_t type, flags;
  uint64_t offset, address, physical, fileSize, memorySize, alignment;
};
struct NoteHeader {
  uint32_t nameSize, size, type;
};
constexpr uint32_t noteSegment = 4, metadataNote = 32;
constexpr size_t mostMetadata = 1 << 20;

template <typename T> std::optional<T> at(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// The metadata in a segment of notes; empty if there is none.
std::string_view metadataIn(std::string_view notes) {
  for (uint64_t offset = 0;;) {
    auto note = at<NoteHeader>(notes, offset);
    if (!note) return {};
    uint64_t name = offset + sizeof(NoteHeader), contents = name + (note->nameSize + 3ull) / 4 * 4,
             end = contents + note->size;
    if (end > notes.size()) return {};
    if (note->type == metadataNote && notes.substr(name, 6) == "AMDGPU")
      return notes.substr(contents, note->size);
    offset = (end + 3) / 4 * 4;
  }
}

unsigned numberIn(const Json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_number_unsigned() ? it->get<unsigned>() : 0;
}
std::string textIn(const Json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

CodeObject::Kernel kernelOf(const Json& json) {
  CodeObject::Kernel kernel;
  kernel.name = textIn(json, ".name");
  kernel.vectorRegisters = numberIn(json, ".vgpr_count");
  kernel.accumulatorRegisters = numberIn(json, ".agpr_count");
  kernel.scalarRegisters = numberIn(json, ".sgpr_count");
  kernel.spilledVectors = numberIn(json, ".vgpr_spill_count");
  kernel.spilledScalars = numberIn(json, ".sgpr_spill_count");
  kernel.warpSize = numberIn(json, ".wavefront_size");
  if (auto arguments = json.find(".args"); arguments != json.end() && arguments->is_array())
    for (const Json& argument : *arguments)
      if (argument.is_object() && !textIn(argument, ".value_kind").starts_with("hidden_"))
        kernel.arguments.push_back(numberIn(argument, ".size"));
  return kernel;
}

} // namespace

const CodeObject::Kernel* CodeObject::find(std::string_view name) const {
  for (const Kernel& kernel : kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

std::optional<CodeObject> readCodeObject(std::string_view bytes) {
  auto header = at<Header>(bytes, 0);
  if (!header || device::machineOf(bytes) != device::amdgpuMachine) return std::nullopt;
  std::string_view metadata;
  for (unsigned i = 0; i < header->programHeaderCount && metadata.empty(); ++i) {
    auto segment =
        at<ProgramHeader>(bytes, header->programHeaders + uint64_t{i} * header->programHeaderSize);
    if (!segment) return std::nullopt;
    if (segment->type == noteSegment && segment->offset <= bytes.size())
      metadata = metadataIn(bytes.substr(segment->offset, segment->fileSize));
  }
  if (metadata.empty() || metadata.size() > mostMetadata) return std::nullopt;
  Json json = Json::from_msgpack(metadata.begin(), metadata.end(), true, false);
  if (!json.is_object()) return std::nullopt;
  CodeObject object;
  // "amdgcn-amd-amdhsa--gfx942:sramecc+", and of newer LLVM "amdgpu9.42-amd-amdhsa-unknown-gfx942"
  std::string target = textIn(json, "amdhsa.target");
  if (size_t dash = target.rfind("-gfx"); dash != std::string::npos)
    object.arch = target.substr(dash + 1, target.find(':') - dash - 1);
  if (auto kernels = json.find("amdhsa.kernels"); kernels != json.end() && kernels->is_array())
    for (const Json& kernel : *kernels)
      if (kernel.is_object()) object.kernels.push_back(kernelOf(kernel));
  return object;
}

} // namespace gluond::runner::hip
