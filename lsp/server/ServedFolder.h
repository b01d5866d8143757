// The folder that `gluond serve` shows: its programs listed, read, and saved when the user says so.
//
// A text is saved over the file that it was made from and over no other: who saves names the
// revision that was read, and a file that changed since is left alone. Bytes that are no text in a
// known encoding are not read, and a text goes back in the encoding that it came from
// (text/Encoding.h).
//
// Paths are relative to the folder, with '/'. Nothing outside it can be named: a path with "..", an
// absolute one, or one that leaves it through a symbolic link is refused, and so is a file that
// files() would not list, such as `.env`. Any thread; the file system is the only state.
#pragma once

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

struct ServedText {
  std::string text;     // UTF-8, lines ending as in the file
  std::string revision; // names the file's content
};
struct Saved {
  bool isConflict = false; // the file is another than the text was made from: nothing was written
  std::string revision;    // of the file as it is now; "": there is none
};

class ServedFolder {
public:
  // The error says why it cannot be served.
  static tl::expected<ServedFolder, std::string> open(const std::string& path);

  const std::string& path() const { return root_; } // absolute, without links
  // Programs, launch records and pyproject.toml; hidden folders, caches and node_modules are left
  // out. At most `mostFiles`, sorted.
  std::vector<std::string> files() const;
  tl::expected<ServedText, std::string> read(const std::string& name) const;
  // "": there is no such file, or none that may be read.
  std::string revision(const std::string& name) const;
  // Changes when one of `names` does, by times and sizes.
  std::string stamp(const std::vector<std::string>& names) const;
  // Replaces a file, as a whole or not at all, if its revision still is `base`; "" makes a new one.
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
