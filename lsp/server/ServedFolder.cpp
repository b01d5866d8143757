#include "lsp/server/ServedFolder.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace gluond::lsp {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

bool isShown(llvm::StringRef name) {
  llvm::StringRef file = path::filename(name);
  return !file.starts_with(".") &&
         (file.ends_with(".py") || file.ends_with(".launches.jsonl") || file == "pyproject.toml");
}

bool isSkipped(llvm::StringRef folder) {
  // .gluond holds launch records.
  return (folder.starts_with(".") && folder != ".gluond") || folder == "__pycache__" ||
         folder == "node_modules";
}

bool isBelow(llvm::StringRef whole, llvm::StringRef root) {
  return whole == root ||
         (whole.consume_front(root) && (root.ends_with("/") || whole.starts_with("/")));
}

} // namespace

tl::expected<ServedFolder, std::string> ServedFolder::open(const std::string& folder) {
  llvm::SmallString<256> real;
  if (std::error_code error = fs::real_path(folder, real))
    return tl::unexpected("'" + folder + "': " + error.message());
  if (!fs::is_directory(real)) return tl::unexpected("'" + folder + "' is not a folder");
  return ServedFolder(real.str().str());
}

std::vector<std::string> ServedFolder::files() const {
  std::vector<std::string> names;
  std::error_code error;
  // Links are not followed: they may lead in circles, or outside.
  for (fs::recursive_directory_iterator it(root_, error, false), end; it != end && !error;
       it.increment(error)) {
    llvm::StringRef name = path::filename(it->path());
    if (it->type() == fs::file_type::directory_file) {
      if (isSkipped(name) || it.level() > 12) it.no_push();
    } else if (it->type() == fs::file_type::regular_file && isShown(name)) {
      llvm::StringRef relative = it->path();
      relative.consume_front(root_);
      relative.consume_front("/");
      names.push_back(relative.str());
      if (names.size() >= mostFiles) break;
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

tl::expected<std::string, std::string> ServedFolder::resolve(const std::string& name) const {
  auto refuse = [&] { return tl::unexpected("'" + name + "' is not in the served folder"); };
  if (name.empty() || name.find('\0') != std::string::npos || path::is_absolute(name))
    return refuse();
  for (llvm::StringRef part : llvm::split(name, '/'))
    if (part.empty() || part == "." || part == "..") return refuse();
  llvm::SmallString<256> whole(root_), folder;
  path::append(whole, name);
  if (fs::real_path(path::parent_path(whole), folder) || !isBelow(folder, root_)) return refuse();
  path::append(folder, path::filename(whole));
  // The file itself must not be a link, nor anything but a file.
  fs::file_status status;
  if (!fs::status(folder, status, false) && status.type() != fs::file_type::regular_file)
    return refuse();
  return folder.str().str();
}

tl::expected<std::string, std::string> ServedFolder::read(const std::string& name) const {
  auto file = resolve(name);
  if (!file) return file;
  uint64_t size = 0;
  if (std::error_code error = fs::file_size(*file, size))
    return tl::unexpected("'" + name + "': " + error.message());
  if (size > mostBytes) return tl::unexpected("'" + name + "' is too large");
  auto buffer = llvm::MemoryBuffer::getFile(*file, false, false);
  if (!buffer) return tl::unexpected("'" + name + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

tl::expected<void, std::string> ServedFolder::save(const std::string& name,
                                                   const std::string& text) const {
  if (!isShown(name)) return tl::unexpected("'" + name + "' is no kind of file that gluond writes");
  for (llvm::StringRef part : llvm::split(path::parent_path(name), '/'))
    if (isSkipped(part))
      return tl::unexpected("'" + name + "' is in a folder gluond does not show");
  if (text.size() > mostBytes) return tl::unexpected("'" + name + "' is too large");
  auto file = resolve(name);
  if (!file) return tl::unexpected(file.error());
  fs::file_status status;
  unsigned mode = fs::all_read | fs::all_write;
  if (!fs::status(*file, status)) mode = status.permissions();
  // Written beside it and renamed, so that no reader sees half of it.
  auto temporary = fs::TempFile::create(*file + ".%%%%%%%%.tmp", mode);
  if (!temporary) return tl::unexpected(llvm::toString(temporary.takeError()));
  {
    llvm::raw_fd_ostream out(temporary->FD, false);
    out << text;
    out.flush();
    if (out.has_error()) {
      std::string why = out.error().message();
      out.clear_error();
      llvm::consumeError(temporary->discard());
      return tl::unexpected("'" + name + "': " + why);
    }
  }
  if (llvm::Error error = temporary->keep(*file))
    return tl::unexpected(llvm::toString(std::move(error)));
  return {};
}

} // namespace gluond::lsp
