// The folder that `gluond serve` shows: lists and reads its programs, and saves them on request.
//
// A text may only replace the file version that it was derived from: the caller gives the
// revision that was read, and a file that changed since is left alone. Files that are not text
// in a known encoding are not read, and a text is saved in its original encoding
// (text/Encoding.h).
//
// Paths are relative to the folder, with '/'. Nothing outside it can be accessed: a path with "..",
// an absolute one, or one through a symbolic link out of it is refused, as is a file that files()
// would not list, such as `.env`. May be used from any thread; the file system is the only state.
#pragma once

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

struct ServedText {
  std::string text;     // UTF-8, with the file's line endings
  std::string revision; // identifies the file's content
};
struct Saved {
  bool isConflict = false; // the file has changed since it was read; nothing was written
  std::string revision;    // the file's current one; "" if there is no file
};

class ServedFolder {
public:
  // The error says why it cannot be served.
  static tl::expected<ServedFolder, std::string> open(const std::string& path);

  const std::string& path() const { return root_; } // absolute, without links
  // Returns programs, launch records and pyproject.toml, without hidden folders, caches and
  // node_modules. At most `mostFiles`, sorted. Notebooks are not listed, because the page shows
  // files as text; they can be read and saved.
  std::vector<std::string> files() const;
  tl::expected<ServedText, std::string> read(const std::string& name) const;
  // Returns "" if there is no such file, or it may not be read.
  std::string revision(const std::string& name) const;
  // A value that changes when one of `names` changes, based on times and sizes.
  std::string stamp(const std::vector<std::string>& names) const;
  // Replaces a file atomically if its revision still is `base`; "" creates a new one.
  tl::expected<Saved, std::string> save(const std::string& name, const std::string& text,
                                        const std::string& base) const;

  static constexpr size_t mostFiles = 5000;
  static constexpr size_t mostBytes = size_t{16} << 20;

private:
  explicit ServedFolder(std::string root) : root_(std::move(root)) {}
  std::string refusal(const std::string& name) const;
  tl::expected<std::optional<std::string>, std::string> bytes(const std::string& name) const;
  std::string root_;
};

} // namespace gluond::lsp
