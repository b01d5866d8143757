// Results that outlive the process: files named by the hash of all that they were made from.
//
// WHERE. A folder of the user's (cacheOf()), in it 64 folders, in them one file for each result.
// SAFETY. A file is written beside its place and renamed, so that a reader, of whatever process,
// sees all of it or nothing; it says its length and a keyed hash of its key and content
// (CacheFolder.h), so that a file that was cut short, damaged or written by somebody else is as
// good as none. Nothing here fails: a disk that is full, a folder that may
// not be written to, a file that another process removed mean that a result is made again. BOUND.
// Each of the 64 folders may hold a 64th of the limit; whoever writes beyond it removes what was
// used longest ago, by the files' times. A value, cheap to copy; any thread may use it, and any
// number of processes the same folder.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/BLAKE3.h>

#include <optional>
#include <string>

namespace gluond::driver {

struct Settings;

// What a result was made from, part by part. Parts do not run together: ("ab", "c") differs from
// ("a", "bc").
class CacheKey {
public:
  CacheKey& add(llvm::StringRef part);
  // 32 bytes as hexadecimal digits.
  std::string text() const;

private:
  llvm::BLAKE3 hash_;
};

class DiskCache {
public:
  DiskCache() = default; // off: finds nothing and keeps nothing
  // Works in a folder `results` of `folder`, which need not be there.
  DiskCache(std::string folder, uint64_t mostBytes);

  bool isOn() const { return !folder_.empty(); }
  llvm::StringRef folder() const { return folder_; } // with `results`
  uint64_t mostBytes() const { return mostBytes_; }

  std::optional<std::string> find(const CacheKey& key) const;
  void keep(const CacheKey& key, llvm::StringRef content) const;

  // Why the folder is not used, as a sentence; empty: it is, or none is wanted.
  std::string problem() const;
  static DiskCache unusable(std::string why);

  struct Usage {
    uint64_t entries = 0, bytes = 0;
  };
  Usage usage() const;
  // Removes every entry, nothing else; how many and how big they were.
  Usage clear() const;

private:
  std::string folder_;
  std::string why_; // there is none
  uint64_t mostBytes_ = 0;
};

// Where the settings and the environment put it: GLUOND_CACHE_DIR, else cache.directory, else
// $XDG_CACHE_HOME/gluond, else ~/.cache/gluond. "off" for either of the first two means none, and
// so does a relative path.
DiskCache cacheOf(const Settings& settings);

} // namespace gluond::driver
