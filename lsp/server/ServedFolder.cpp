#include "lsp/server/ServedFolder.h"

#include "driver/ProjectFolder.h"
#include "files/Beneath.h"
#include "files/ReadFile.h"
#include "files/Walk.h"
#include "files/WriteFile.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <fcntl.h>

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
      [](llvm::StringRef name) { return driver::isProgramName(path::filename(name)); }, {},
      {.files = mostFiles, .depth = 12, .time = std::chrono::seconds(5)});
  std::erase_if(walked.files, [&](const std::string& name) {
    return fs::is_symlink_file(root_ + "/" + name) &&
           !files::openFileBeneath({root_}, root_ + "/" + name);
  });
  std::sort(walked.files.begin(), walked.files.end());
  return std::move(walked.files);
}

// Why a name is not to be read or written; empty: it may be.
std::string ServedFolder::refusal(const std::string& name) const {
  bool isPlain = !name.empty() && name.find('\0') == std::string::npos &&
                 !path::is_absolute(name) && name.find('\\') == std::string::npos;
  for (llvm::StringRef part : llvm::split(name, '/'))
    isPlain = isPlain && !part.empty() && part != "." && part != "..";
  if (!isPlain) return "'" + name + "' is not in the served folder";
  if (!driver::isProgramPath(root_ + "/" + name, {root_}))
    return "'" + name + "' is no program, launch records or pyproject.toml";
  return {};
}

tl::expected<std::string, std::string> ServedFolder::read(const std::string& name) const {
  if (std::string why = refusal(name); !why.empty()) return tl::unexpected(std::move(why));
  return files::readFileBeneath({root_}, root_ + "/" + name, mostBytes);
}

tl::expected<void, std::string> ServedFolder::save(const std::string& name,
                                                   const std::string& text) const {
  if (std::string why = refusal(name); !why.empty()) return tl::unexpected(std::move(why));
  if (text.size() > mostBytes) return tl::unexpected("'" + name + "' is too large");
  // A folder of its own is not made for it.
  std::string folder = path::parent_path(root_ + "/" + name).str();
  if (!files::openBeneath({root_}, folder, O_PATH | O_DIRECTORY))
    return tl::unexpected("there is no folder '" + folder + "'");
  return files::replaceFile(root_, name, text);
}

} // namespace gluond::lsp
