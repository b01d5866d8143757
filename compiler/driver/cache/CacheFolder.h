// The folder of the cache: whether it is the user's own, and the key that its entries are sealed
// with. Internal to driver/.
//
// What is found in a cache is run. So an entry counts only when this user's gluond wrote it: the
// folder must belong to the user and nobody else may write there, and every entry carries a keyed
// hash, whose key, random and readable by the user alone, is in the folder too.
#pragma once

#include "files/Descriptor.h"

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <array>
#include <string>

namespace gluond::driver {

class CacheFolder {
public:
  // Where `make` is set, what is missing is made. The error says what is wrong with it.
  static tl::expected<CacheFolder, std::string> open(llvm::StringRef path, bool make);

  int descriptor() const { return folder_.get(); }
  // The keyed hash of an entry: of its name and its content.
  static constexpr size_t sealBytes = 32;
  std::string seal(llvm::StringRef name, llvm::StringRef content) const;

private:
  CacheFolder() = default;
  files::Descriptor folder_;
  std::array<uint8_t, 32> key_{};
};

} // namespace gluond::driver
