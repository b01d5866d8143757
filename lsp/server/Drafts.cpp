#include "lsp/server/Drafts.h"

#include "files/ReadFile.h"
#include "files/Walk.h"
#include "files/WriteFile.h"
#include "lsp/protocol/Json.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <tuple>

namespace gluond::lsp {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

// A stored draft, with its folder and name for users who look into the folder.
struct Kept {
  std::string folder;
  Draft draft;
  GLUOND_FIELDS(field("folder", &Kept::folder), field("draft", &Kept::draft))
};

std::string nameOf(llvm::StringRef text) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16);
}

} // namespace

Drafts::Drafts(std::string state, std::string root)
    : state_(std::move(state)), root_(std::move(root)) {}

std::string Drafts::userState() {
  auto given = llvm::sys::Process::GetEnv("XDG_STATE_HOME");
  if (given && path::is_absolute(*given)) return *given;
  llvm::SmallString<256> home;
  if (!path::home_directory(home) || !path::is_absolute(home)) return {};
  path::append(home, ".local", "state");
  return home.str().str();
}

std::string Drafts::placeOf(const std::string& name) const {
  return "gluond/drafts/" + nameOf(root_) + (name.empty() ? "" : "/" + nameOf(name) + ".json");
}

tl::expected<void, std::string> Drafts::keep(const Draft& draft) const {
  if (state_.empty()) return tl::unexpected(std::string("there is no home folder"));
  if (draft.text.size() > mostBytes) return tl::unexpected("'" + draft.name + "' is too large");
  if (std::error_code error = fs::create_directories(state_, true, fs::owner_all))
    return tl::unexpected("cannot create '" + state_ + "': " + error.message());
  std::string text = dumpJson(encode(Kept{root_, draft}));
  return files::replaceFile(state_, placeOf(draft.name), text, 0600);
}

void Drafts::drop(const std::string& name) const {
  if (!state_.empty()) std::ignore = fs::remove(state_ + "/" + placeOf(name));
}

std::vector<Draft> Drafts::all() const {
  std::vector<Draft> drafts;
  if (state_.empty()) return drafts;
  std::string folder = state_ + "/" + placeOf("");
  for (const files::Entry& entry : files::entriesBeneath({state_}, folder, mostDrafts)) {
    if (entry.kind != files::Entry::Kind::File || !entry.name.ends_with(".json")) continue;
    auto text = files::readFileBeneath({state_}, folder + "/" + entry.name, 8 * mostBytes);
    auto json = text ? parseJson(*text) : std::nullopt;
    auto kept = json ? decode<Kept>(*json) : tl::unexpected(std::string());
    if (kept && kept->folder == root_) drafts.push_back(std::move(kept->draft));
  }
  std::sort(drafts.begin(), drafts.end(),
            [](const Draft& a, const Draft& b) { return a.name < b.name; });
  return drafts;
}

} // namespace gluond::lsp
