// The folder of the cache: checks that it is the user's own, and holds the key that its entries are
// signed with. Internal to driver/.
//
// Code found in a cache is executed. So an entry counts only if this user's gluond wrote it: the
// folder must belong to the user and be writable by nobody else, and every entry has a keyed hash,
// whose key, random and readable by the user alone, is in the folder too.
#pragma once

#include "files/Descriptor.h"

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <array>
#include <string>

namespace gluond::driver {

class CacheFolder {
public:
  // If `make` is set, missing parts are created. The error says what is wrong with the folder.
  static tl::expected<CacheFolder, std::string> open(llvm::StringRef path, bool make);

  int descriptor() const { return folder_.get(); }
  // The keyed hash of an entry's name and content.
  static constexpr size_t sealBytes = 32;
  std::string seal(llvm::StringRef name, llvm::StringRef content) const;

private:
  CacheFolder() = default;
  files::Descriptor folder_;
  std::array<uint8_t, 32> key_{};
};

} // namespace gluond::driver
