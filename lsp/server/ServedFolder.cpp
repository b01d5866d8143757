#include "lsp/server/ServedFolder.h"

#include "driver/notebooks/NotebookFile.h"
#include "driver/workspace/ProjectFolder.h"
#include "files/OpenBeneath.h"
#include "files/ReadFile.h"
#include "files/Walk.h"
#include "files/WriteFile.h"
#include "text/Encoding.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace gluond::lsp {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

tl::expected<ServedFolder, std::string> ServedFolder::open(const std::string& folder) {
  llvm::SmallString<256> real;
  if (std::error_code error = fs::real_path(folder, real))
    return tl::unexpected("'" + folder + "': " + error.message());
  if (!fs::is_directory(real)) return tl::unexpected("'" + folder + "' is not a folder");
  return ServedFolder(real.str().str());
}

std::vector<std::string> ServedFolder::files() const {
  files::Walked walked = files::walk(
      root_, [](llvm::StringRef name) { return !driver::isPassedOver(path::filename(name)); },
      [](llvm::StringRef name) {
        return driver::isProgramName(path::filename(name)) && !driver::isNotebook(name);
      },
      {}, {.files = mostFiles, .depth = 12, .time = std::chrono::seconds(5)});
  std::erase_if(walked.files, [&](const std::string& name) {
    return fs::is_symlink_file(root_ + "/" + name) &&
           !files::openFileBeneath({root_}, root_ + "/" + name);
  });
  std::sort(walked.files.begin(), walked.files.end());
  return std::move(walked.files);
}

// Returns why a name may not be read or written, or "" if it may be.
std::string ServedFolder::refusal(const std::string& name) const {
  bool isPlain = !name.empty() && name.find('\0') == std::string::npos &&
                 !path::is_absolute(name) && name.find('\\') == std::string::npos;
  for (llvm::StringRef part : llvm::split(name, '/'))
    isPlain = isPlain && !part.empty() && part != "." && part != "..";
  if (!isPlain) return "'" + name + "' is not in the served folder";
  if (!driver::isProgramPath(root_ + "/" + name, {root_}))
    return "'" + name +
           "' is not a program, a notebook, a file of launch records or pyproject.toml";
  return {};
}

namespace {

text::FileKind kindOf(llvm::StringRef name) {
  return name.ends_with(".py") ? text::FileKind::Program : text::FileKind::Other;
}

std::string revisionOf(llvm::StringRef bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  return llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16);
}

} // namespace

// Returns the bytes of a file, or nullopt if there is none.
tl::expected<std::optional<std::string>, std::string>
ServedFolder::bytes(const std::string& name) const {
  if (std::string why = refusal(name); !why.empty()) return tl::unexpected(std::move(why));
  std::string place = root_ + "/" + name;
  if (!files::openBeneath({root_}, place, O_PATH) && errno == ENOENT) return std::nullopt;
  return files::readFileBeneath({root_}, place, mostBytes);
}

tl::expected<ServedText, std::string> ServedFolder::read(const std::string& name) const {
  auto bytes = this->bytes(name);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  if (!*bytes) return tl::unexpected("'" + name + "' does not exist");
  auto decoded = text::decode(**bytes, kindOf(name));
  if (!decoded) return tl::unexpected("cannot edit '" + name + "': " + decoded.error());
  return ServedText{std::move(decoded->text), revisionOf(**bytes)};
}

std::string ServedFolder::revision(const std::string& name) const {
  auto bytes = this->bytes(name);
  return bytes && *bytes ? revisionOf(**bytes) : "";
}

std::string ServedFolder::stamp(const std::vector<std::string>& names) const {
  std::string all;
  for (const std::string& name : names) {
    struct stat status{};
    (void)::lstat((root_ + "/" + name).c_str(), &status);
    all += name + '\0' + std::to_string(status.st_size) + ' ' +
           std::to_string(status.st_mtim.tv_sec) + ' ' + std::to_string(status.st_mtim.tv_nsec) +
           '\0';
  }
  return revisionOf(all);
}

tl::expected<Saved, std::string> ServedFolder::save(const std::string& name,
                                                    const std::string& text,
                                                    const std::string& base) const {
  auto old = bytes(name);
  if (!old) return tl::unexpected(std::move(old.error()));
  std::string now = *old ? revisionOf(**old) : "";
  if (now != base) return Saved{true, now};
  // A file that is new since, or that was overwritten on purpose, keeps its mark as well.
  bool hasMark = *old && llvm::StringRef(**old).starts_with("\xEF\xBB\xBF");
  auto encoded = text::encode(text, hasMark, kindOf(name));
  if (!encoded) return tl::unexpected("cannot save '" + name + "': " + encoded.error());
  if (encoded->size() > mostBytes) return tl::unexpected("'" + name + "' is too large");
  // Folders are not created for it.
  std::string folder = path::parent_path(root_ + "/" + name).str();
  if (!files::openBeneath({root_}, folder, O_PATH | O_DIRECTORY))
    return tl::unexpected("there is no folder '" + folder + "'");
  if (auto written = files::replaceFile(root_, name, *encoded); !written)
    return tl::unexpected(std::move(written.error()));
  return Saved{false, revisionOf(*encoded)};
}

} // namespace gluond::lsp
