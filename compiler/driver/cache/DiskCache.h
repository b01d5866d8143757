// Results that outlive the process: files named by the hash of all their inputs.
//
// WHERE. A folder of the user's (cacheOf()) has 64 folders, with one file for each result. SAFETY.
// A file is written under another name and renamed, so that a reader in any process sees all of it
// or nothing; it contains its length and a keyed hash of its key and content (CacheFolder.h), so
// that a truncated, damaged or foreign file counts as missing. Nothing here fails: if a disk is
// full, a folder is not writable or a file was removed by another process, a result is computed
// again. BOUND. Each of the 64 folders may hold 1/64 of the limit; a process that writes more
// removes the least recently used files, by their times. A DiskCache is a value that is cheap to
// copy.
//
// Any thread may use it, and any number of processes may share a folder.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/BLAKE3.h>

#include <optional>
#include <string>

namespace gluond::driver {

struct Settings;

// The inputs of a result, part by part. Parts are kept apart: ("ab", "c") differs from ("a",
// "bc").
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
  // Works in a folder `results` of `folder`, which need not exist.
  DiskCache(std::string folder, uint64_t mostBytes);

  bool isOn() const { return !folder_.empty(); }
  llvm::StringRef folder() const { return folder_; } // ends in `results`
  uint64_t mostBytes() const { return mostBytes_; }

  std::optional<std::string> find(const CacheKey& key) const;
  void keep(const CacheKey& key, llvm::StringRef content) const;

  // Returns why the folder is not used, as a sentence, or "" if it is used or none is wanted.
  std::string problem() const;
  static DiskCache unusable(std::string why);

  struct Usage {
    uint64_t entries = 0, bytes = 0;
  };
  Usage usage() const;
  // Removes every entry, nothing else; returns their number and size.
  Usage clear() const;

private:
  std::string folder_;
  std::string why_; // why there is no folder
  uint64_t mostBytes_ = 0;
};

// Returns the cache at the place that settings and environment give: GLUOND_CACHE_DIR, else
// cache.directory, else $XDG_CACHE_HOME/gluond, else ~/.cache/gluond. "off" or a relative path for
// either of the first two turns it off.
DiskCache cacheOf(const Settings& settings);

} // namespace gluond::driver
