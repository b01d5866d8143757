#include "driver/cache/DiskCache.h"

#include "driver/cache/CacheFolder.h"
#include "driver/workspace/Workspace.h"
#include "files/OpenBeneath.h"
#include "files/Walk.h"
#include "support/WriteAll.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>

#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gluond::driver {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using files::Descriptor;

namespace {

constexpr unsigned folders = 64;
constexpr llvm::StringLiteral suffix = ".result", unfinished = ".new";
constexpr size_t keyDigits = 64;

// magic, length of the content, the seal over key and content; then the content.
constexpr llvm::StringLiteral magic = "gluond2\n";
constexpr size_t headerBytes = 8 + 8 + CacheFolder::sealBytes;

std::string headerOf(const CacheFolder& cache, llvm::StringRef key, llvm::StringRef content) {
  std::string header = magic.str();
  header.resize(16);
  llvm::support::endian::write64le(&header[8], content.size());
  return header + cache.seal(key, content);
}

// Whether it is the name of an entry, whoever wrote it.
bool isEntry(llvm::StringRef name) {
  return name.consume_back(suffix) && name.size() == keyDigits &&
         llvm::all_of(name, llvm::isHexDigit);
}
bool isUnfinished(llvm::StringRef name) {
  return name.consume_back(unfinished) && name.take_front(keyDigits).size() == keyDigits &&
         llvm::all_of(name.take_front(keyDigits), llvm::isHexDigit);
}

bool readAll(int file, char* to, size_t size) {
  while (size) {
    ssize_t got = ::read(file, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

struct Entry {
  std::string name;
  uint64_t bytes = 0;
  timespec used{};
};

bool isOlder(const Entry& a, const Entry& b) {
  return std::tie(a.used.tv_sec, a.used.tv_nsec) < std::tie(b.used.tv_sec, b.used.tv_nsec);
}

// "3f": of the folder in the cache that a key's entry is in.
std::string folderName(unsigned number) {
  return llvm::utohexstr(number, /*LowerCase=*/true, /*Width=*/2);
}
std::string folderName(llvm::StringRef key) {
  unsigned number = 0;
  (void)key.take_front(2).getAsInteger(16, number);
  return folderName(number % folders);
}

// Returns the entries of one folder, and removes files left by dead writers over an hour ago.
std::vector<Entry> entriesIn(int folder) {
  std::vector<Entry> entries;
  for (const files::Entry& each : files::entriesIn(folder)) {
    struct stat status{};
    if ((!isEntry(each.name) && !isUnfinished(each.name)) ||
        ::fstatat(folder, each.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (isEntry(each.name))
      entries.push_back({each.name, static_cast<uint64_t>(status.st_size), status.st_mtim});
    else if (::time(nullptr) - status.st_mtim.tv_sec > 3600)
      (void)::unlinkat(folder, each.name.c_str(), 0);
  }
  return entries;
}

Descriptor openInside(const CacheFolder& cache, llvm::StringRef folder) {
  return files::openWithoutLinks(cache.descriptor(), folder, O_RDONLY | O_DIRECTORY);
}

void evict(int folder, uint64_t most) {
  std::vector<Entry> entries = entriesIn(folder);
  uint64_t bytes = 0;
  for (const Entry& entry : entries)
    bytes += entry.bytes;
  if (bytes <= most) return;
  llvm::sort(entries, isOlder);
  for (const Entry& entry : entries) {
    if (bytes <= most / 4 * 3) break; // room for a while
    (void)::unlinkat(folder, entry.name.c_str(), 0);
    bytes -= entry.bytes;
  }
}

} // namespace

CacheKey& CacheKey::add(llvm::StringRef part) {
  char size[8];
  llvm::support::endian::write64le(size, part.size());
  hash_.update(llvm::StringRef(size, sizeof size));
  hash_.update(part);
  return *this;
}

std::string CacheKey::text() const {
  llvm::BLAKE3 hash = hash_;
  return llvm::toHex(llvm::ArrayRef<uint8_t>(hash.final<32>()), /*LowerCase=*/true);
}

DiskCache::DiskCache(std::string folder, uint64_t mostBytes)
    : folder_(std::move(folder) + "/results"), mostBytes_(mostBytes) {}

DiskCache DiskCache::unusable(std::string why) {
  DiskCache cache;
  cache.why_ = std::move(why);
  return cache;
}

std::optional<std::string> DiskCache::find(const CacheKey& key) const {
  if (!isOn()) return std::nullopt;
  auto cache = CacheFolder::open(folder_, /*make=*/false);
  if (!cache) return std::nullopt;
  std::string digits = key.text(), name = digits + suffix.str();
  Descriptor folder = openInside(*cache, folderName(digits));
  if (!folder) return std::nullopt;
  Descriptor file = files::openWithoutLinks(folder.get(), name, O_RDONLY);
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return std::nullopt;
  std::string header(headerBytes, '\0'), content;
  auto size = static_cast<uint64_t>(status.st_size);
  bool isWhole = S_ISREG(status.st_mode) && size >= headerBytes && size <= mostBytes_ / folders &&
                 readAll(file.get(), header.data(), headerBytes);
  if (isWhole) {
    content.resize(size - headerBytes);
    isWhole = readAll(file.get(), content.data(), content.size()) &&
              header == headerOf(*cache, digits, content);
  }
  if (!isWhole) { // damaged, or not ours
    (void)::unlinkat(folder.get(), name.c_str(), 0);
    return std::nullopt;
  }
  // The time of use, by the minute: reading should not mean writing.
  if (::time(nullptr) - status.st_mtim.tv_sec > 60) (void)::futimens(file.get(), nullptr);
  return content;
}

void DiskCache::keep(const CacheKey& key, llvm::StringRef content) const {
  if (!isOn() || content.size() + headerBytes > mostBytes_ / folders) return;
  auto cache = CacheFolder::open(folder_, /*make=*/true);
  if (!cache) return;
  std::string digits = key.text(), name = digits + suffix.str();
  (void)::mkdirat(cache->descriptor(), folderName(digits).c_str(), 0700);
  Descriptor folder = openInside(*cache, folderName(digits));
  if (!folder) return;
  static std::atomic<uint64_t> number{0};
  std::string own = digits + "." + std::to_string(::getpid()) + "." +
                    std::to_string(number.fetch_add(1, std::memory_order_relaxed)) +
                    unfinished.str();
  Descriptor file = files::openWithoutLinks(folder.get(), own, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file) return;
  bool isWritten = writeAll(file.get(), headerOf(*cache, digits, content)) &&
                   writeAll(file.get(), content) && file.close();
  if (!isWritten || ::renameat(folder.get(), own.c_str(), folder.get(), name.c_str()) != 0) {
    (void)::unlinkat(folder.get(), own.c_str(), 0);
    return;
  }
  evict(folder.get(), mostBytes_ / folders);
}

std::string DiskCache::problem() const {
  if (!isOn() || !fs::exists(folder_)) return why_;
  auto cache = CacheFolder::open(folder_, /*make=*/true);
  return cache ? std::string() : cache.error();
}

static DiskCache::Usage forEach(llvm::StringRef root,
                                llvm::function_ref<bool(int, const Entry&)> counts) {
  DiskCache::Usage usage;
  if (root.empty()) return usage;
  auto cache = CacheFolder::open(root, /*make=*/false);
  if (!cache) return usage;
  for (unsigned number = 0; number < folders; ++number)
    if (Descriptor folder = openInside(*cache, folderName(number)))
      for (const Entry& entry : entriesIn(folder.get()))
        if (counts(folder.get(), entry)) {
          ++usage.entries;
          usage.bytes += entry.bytes;
        }
  return usage;
}

DiskCache::Usage DiskCache::usage() const {
  return forEach(folder_, [](int, const Entry&) { return true; });
}

DiskCache::Usage DiskCache::clear() const {
  return forEach(folder_, [](int folder, const Entry& entry) {
    return ::unlinkat(folder, entry.name.c_str(), 0) == 0;
  });
}

// Where the user's caches are: $XDG_CACHE_HOME, which counts only when absolute, or ~/.cache.
static std::string userCaches() {
  auto given = llvm::sys::Process::GetEnv("XDG_CACHE_HOME");
  if (given && path::is_absolute(*given)) return *given;
  llvm::SmallString<256> home;
  if (!path::home_directory(home) || !path::is_absolute(home)) return {};
  path::append(home, ".cache");
  return home.str().str();
}

DiskCache cacheOf(const Settings& settings) {
  std::string folder = settings.cacheDirectory, source = "the setting cache.directory";
  auto environment = llvm::sys::Process::GetEnv("GLUOND_CACHE_DIR");
  if (folder == "off" || environment == "off") return {};
  if (environment && !environment->empty()) {
    folder = *environment;
    source = "GLUOND_CACHE_DIR";
  }
  if (folder.empty()) {
    folder = userCaches();
    if (folder.empty()) return {};
    folder += "/gluond";
  }
  // A relative path would depend on the folder in which gluond is started.
  if (!path::is_absolute(folder))
    return DiskCache::unusable("no cache is used: " + source + " is '" + folder +
                               "', which is not an absolute path");
  return {std::move(folder), std::min<uint64_t>(settings.cacheMegabytes, 1 << 24) << 20};
}

} // namespace gluond::driver
