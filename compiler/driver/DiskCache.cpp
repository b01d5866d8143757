#include "driver/DiskCache.h"

#include "driver/Workspace.h"
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
#include <llvm/Support/xxhash.h>

#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gluond::driver {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

constexpr unsigned folders = 64;
constexpr llvm::StringLiteral suffix = ".result", unfinished = ".new";
constexpr size_t keyDigits = 64;

// magic, length of the content, its checksum, the key's digits; then the content.
constexpr llvm::StringLiteral magic = "gluond1\n";
constexpr size_t headerBytes = 8 + 8 + 8 + keyDigits;

std::string headerOf(llvm::StringRef key, llvm::StringRef content) {
  std::string header = magic.str();
  header.resize(24);
  llvm::support::endian::write64le(&header[8], content.size());
  llvm::support::endian::write64le(&header[16], llvm::xxh3_64bits(content));
  return header + key.str();
}

// Of a key's file, whatever wrote it.
bool isEntry(llvm::StringRef name) {
  return name.consume_back(suffix) && name.size() == keyDigits &&
         llvm::all_of(name, llvm::isHexDigit);
}
bool isUnfinished(llvm::StringRef name) {
  return name.consume_back(unfinished) && name.take_front(keyDigits).size() == keyDigits &&
         llvm::all_of(name.take_front(keyDigits), llvm::isHexDigit);
}

class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
  int number_;
};

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
  std::string path;
  uint64_t bytes = 0;
  timespec used{};
};

bool isOlder(const Entry& a, const Entry& b) {
  return std::tie(a.used.tv_sec, a.used.tv_nsec) < std::tie(b.used.tv_sec, b.used.tv_nsec);
}

// Entries of one folder. What writers that died have left for an hour goes on the way.
std::vector<Entry> entriesIn(llvm::StringRef folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    llvm::StringRef name = path::filename(at->path());
    struct stat status{};
    if ((!isEntry(name) && !isUnfinished(name)) || ::lstat(at->path().c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (isEntry(name))
      entries.push_back({at->path(), static_cast<uint64_t>(status.st_size), status.st_mtim});
    else if (::time(nullptr) - status.st_mtim.tv_sec > 3600)
      (void)::unlink(at->path().c_str());
  }
  return entries;
}

std::string folderOf(llvm::StringRef root, unsigned number) {
  return (root + "/" + llvm::utohexstr(number, /*LowerCase=*/true, /*Width=*/2)).str();
}

std::string pathOf(llvm::StringRef root, llvm::StringRef key) {
  unsigned number = 0;
  (void)key.take_front(2).getAsInteger(16, number);
  return folderOf(root, number % folders) + "/" + key.str() + suffix.str();
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

std::optional<std::string> DiskCache::find(const CacheKey& key) const {
  if (!isOn()) return std::nullopt;
  std::string digits = key.text(), path = pathOf(folder_, digits);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return std::nullopt;
  std::string header(headerBytes, '\0'), content;
  size_t size = static_cast<size_t>(status.st_size);
  bool whole = size >= headerBytes && readAll(file.get(), header.data(), headerBytes);
  if (whole) {
    content.resize(size - headerBytes);
    whole =
        readAll(file.get(), content.data(), content.size()) && header == headerOf(digits, content);
  }
  if (!whole) {
    (void)::unlink(path.c_str());
    return std::nullopt;
  }
  // The time of use, by the minute: reading should not mean writing.
  if (::time(nullptr) - status.st_mtim.tv_sec > 60) (void)::futimens(file.get(), nullptr);
  return content;
}

void DiskCache::keep(const CacheKey& key, llvm::StringRef content) const {
  if (!isOn() || content.size() + headerBytes > mostBytes_ / folders) return;
  std::string digits = key.text(), path = pathOf(folder_, digits);
  llvm::StringRef folder = path::parent_path(path);
  if (fs::create_directories(folder, /*IgnoreExisting=*/true, fs::owner_all)) return;
  static std::atomic<uint64_t> number{0};
  std::string own = folder.str() + "/" + digits + "." + std::to_string(::getpid()) + "." +
                    std::to_string(number.fetch_add(1, std::memory_order_relaxed)) +
                    unfinished.str();
  {
    Descriptor file(::open(own.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file) return;
    bool written = writeAll(file.get(), headerOf(digits, content)) &&
                   writeAll(file.get(), content) && file.close();
    if (!written || ::rename(own.c_str(), path.c_str()) != 0) {
      (void)::unlink(own.c_str());
      return;
    }
  }
  evict(folder);
}

void DiskCache::evict(llvm::StringRef folder) const {
  std::vector<Entry> entries = entriesIn(folder);
  uint64_t bytes = 0, most = mostBytes_ / folders;
  for (const Entry& entry : entries)
    bytes += entry.bytes;
  if (bytes <= most) return;
  llvm::sort(entries, isOlder);
  for (const Entry& entry : entries) {
    if (bytes <= most / 4 * 3) break; // room for a while
    (void)::unlink(entry.path.c_str());
    bytes -= entry.bytes;
  }
}

static DiskCache::Usage forEach(llvm::StringRef root,
                                llvm::function_ref<bool(const Entry&)> counts) {
  DiskCache::Usage usage;
  if (root.empty()) return usage;
  for (unsigned number = 0; number < folders; ++number)
    for (const Entry& entry : entriesIn(folderOf(root, number)))
      if (counts(entry)) {
        ++usage.entries;
        usage.bytes += entry.bytes;
      }
  return usage;
}

DiskCache::Usage DiskCache::usage() const {
  return forEach(folder_, [](const Entry&) { return true; });
}

DiskCache::Usage DiskCache::clear() const {
  return forEach(folder_, [](const Entry& entry) { return ::unlink(entry.path.c_str()) == 0; });
}

DiskCache cacheOf(const Settings& settings) {
  std::string folder = settings.cacheDirectory;
  auto environment = llvm::sys::Process::GetEnv("GLUOND_CACHE_DIR");
  if (folder == "off" || environment == "off") return {};
  if (environment && !environment->empty()) folder = *environment;
  if (folder.empty()) {
    llvm::SmallString<256> found;
    if (!path::cache_directory(found)) return {};
    path::append(found, "gluond");
    folder = found.str();
  }
  llvm::SmallString<256> absolute(folder);
  if (fs::make_absolute(absolute)) return {};
  return {absolute.str().str(), std::min<uint64_t>(settings.cacheMegabytes, 1 << 24) << 20};
}

} // namespace gluond::driver
