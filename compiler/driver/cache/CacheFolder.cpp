#include "driver/cache/CacheFolder.h"

#include "files/OpenBeneath.h"
#include "support/WriteAll.h"

#include <llvm-c/blake3.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/FileSystem.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

namespace gluond::driver {

using files::Descriptor;

namespace {

constexpr llvm::StringLiteral keyName = "key";

tl::unexpected<std::string> fail(llvm::StringRef path, llvm::StringRef why) {
  return tl::unexpected("the cache '" + path.str() + "' is not used: " + why.str());
}

bool isOwn(const struct stat& status, mode_t others) {
  return status.st_uid == ::geteuid() && (status.st_mode & others) == 0;
}

enum class Found { Yes, No, Bad };

Found readKey(int folder, std::array<uint8_t, 32>& key) {
  Descriptor file = files::openWithoutLinks(folder, keyName, O_RDONLY);
  if (!file) return errno == ENOENT ? Found::No : Found::Bad;
  struct stat status{};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !isOwn(status, 0077) ||
      status.st_size != static_cast<off_t>(key.size()))
    return Found::Bad;
  return ::read(file.get(), key.data(), key.size()) == static_cast<ssize_t>(key.size())
             ? Found::Yes
             : Found::Bad;
}

// Writes the key under another name and links it, so that one of several processes creates it, and
// none reads a part of it.
void makeKey(int folder) {
  std::array<uint8_t, 32> key{};
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) return;
  uint64_t name = 0; // no thread and no process takes another's
  if (::getrandom(&name, sizeof name, 0) != sizeof name) return;
  std::string own = "key." + std::to_string(name) + ".new";
  Descriptor file = files::openWithoutLinks(folder, own, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file) return;
  if (writeAll(file.get(), {reinterpret_cast<const char*>(key.data()), key.size()}) && file.close())
    (void)::linkat(folder, own.c_str(), folder, keyName.str().c_str(), 0);
  (void)::unlinkat(folder, own.c_str(), 0);
}

} // namespace

tl::expected<CacheFolder, std::string> CacheFolder::open(llvm::StringRef path, bool make) {
  if (make &&
      llvm::sys::fs::create_directories(path, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all))
    return fail(path, "it cannot be created");
  CacheFolder cache;
  cache.folder_ = Descriptor(::open(path.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!cache.folder_) return fail(path, std::strerror(errno));
  struct stat status{};
  if (::fstat(cache.folder_.get(), &status) != 0) return fail(path, std::strerror(errno));
  if (status.st_uid != ::geteuid()) return fail(path, "it belongs to another user");
  if (!isOwn(status, 0022)) return fail(path, "others may write to it (chmod 700 fixes this)");
  Found found = readKey(cache.descriptor(), cache.key_);
  if (found == Found::No && make) {
    makeKey(cache.descriptor());
    found = readKey(cache.descriptor(), cache.key_);
  }
  if (found == Found::Bad)
    return fail(path,
                "its file 'key' belongs to another user or is damaged (removing it fixes this)");
  if (found == Found::No) return fail(path, "it has no key yet");
  return cache;
}

std::string CacheFolder::seal(llvm::StringRef name, llvm::StringRef content) const {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, key_.data());
  char size[8];
  llvm::support::endian::write64le(size, name.size());
  llvm_blake3_hasher_update(&hasher, size, sizeof size);
  llvm_blake3_hasher_update(&hasher, name.data(), name.size());
  llvm_blake3_hasher_update(&hasher, content.data(), content.size());
  std::string seal(sealBytes, '\0');
  llvm_blake3_hasher_finalize(&hasher, reinterpret_cast<uint8_t*>(seal.data()), sealBytes);
  return seal;
}

} // namespace gluond::driver
