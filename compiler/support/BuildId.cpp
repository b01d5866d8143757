#include "support/BuildId.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>

#include <link.h>
#include <tuple>

namespace gluond {

namespace {

// The notes of one loaded object; the first that the loader lists is the program itself.
int readNotes(dl_phdr_info* object, size_t, void* out) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
    while (static_cast<size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      at += sizeof *note;
      if (static_cast<size_t>(end - at) < padded(note->n_namesz) + padded(note->n_descsz)) break;
      llvm::StringRef name(at, note->n_namesz),
          content(at + padded(note->n_namesz), note->n_descsz);
      if (note->n_type == NT_GNU_BUILD_ID && name.rtrim('\0') == "GNU")
        *static_cast<std::string*>(out) = llvm::toHex(content, /*LowerCase=*/true);
      at += padded(note->n_namesz) + padded(note->n_descsz);
    }
  }
  return 1;
}

std::string findBuildId() {
  std::string id;
  ::dl_iterate_phdr(readNotes, &id);
  if (!id.empty()) return id;
  llvm::sys::fs::file_status status;
  std::ignore = llvm::sys::fs::status("/proc/self/exe", status);
  llvm::SmallString<256> path;
  std::ignore = llvm::sys::fs::real_path("/proc/self/exe", path);
  return (path + ":" + llvm::Twine(status.getSize()) + ":" +
          llvm::Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

} // namespace

const std::string& buildId() {
  static const std::string id = findBuildId();
  return id;
}

} // namespace gluond
