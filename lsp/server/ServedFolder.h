// The folder that `gluond serve` shows: its programs listed, read, and saved when the user says so.
//
// Paths are relative to the folder, with '/'. Nothing outside it can be named: a path with "..", an
// absolute one, or one that leaves it through a symbolic link is refused, and so is a file that
// files() would not list, such as `.env`. Any thread; the file system is the only state.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::lsp {

class ServedFolder {
public:
  // The error says why it cannot be served.
  static tl::expected<ServedFolder, std::string> open(const std::string& path);

  const std::string& path() const { return root_; } // absolute, without links
  // Programs, launch records and pyproject.toml; hidden folders, caches and node_modules are left
  // out. At most `mostFiles`, sorted.
  std::vector<std::string> files() const;
  tl::expected<std::string, std::string> read(const std::string& name) const;
  // Replaces or makes a file, as a whole or not at all.
  tl::expected<void, std::string> save(const std::string& name, const std::string& text) const;

  static constexpr size_t mostFiles = 5000;
  static constexpr size_t mostBytes = size_t{16} << 20;

private:
  explicit ServedFolder(std::string root) : root_(std::move(root)) {}
  std::string refusal(const std::string& name) const;
  std::string root_;
};

} // namespace gluond::lsp
