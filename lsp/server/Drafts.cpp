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
#include <chrono>
#include <tuple>

namespace gluond::lsp {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

// A stored draft, with its folder and name for users who look into the folder.
struct Kept {
  std::string folder;
  Draft draft;
  std::optional<int64_t> time; // when it was kept, in ms since 1970
  GLUOND_FIELDS(field("folder", &Kept::folder), field("draft", &Kept::draft),
                field("time", &Kept::time))
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

std::string Drafts::folder() const {
  return "gluond/drafts/" + nameOf(root_);
}

std::string Drafts::placeOf(const std::string& name, const std::optional<std::string>& page) const {
  return folder() + "/" + nameOf(page ? name + '\0' + *page : name) + ".json";
}

tl::expected<void, std::string> Drafts::keep(const Draft& draft) const {
  if (state_.empty()) return tl::unexpected(std::string("there is no home folder"));
  if (draft.text.size() > mostBytes) return tl::unexpected("'" + draft.name + "' is too large");
  if (std::error_code error = fs::create_directories(state_, true, fs::owner_all))
    return tl::unexpected("cannot create '" + state_ + "': " + error.message());
  auto now = std::chrono::system_clock::now().time_since_epoch();
  int64_t time = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  std::string text = dumpJson(encode(Kept{root_, draft, time}));
  return files::replaceFile(state_, placeOf(draft.name, draft.page), text, 0600);
}

void Drafts::drop(const std::string& name, const std::optional<std::string>& page) const {
  if (!state_.empty()) std::ignore = fs::remove(state_ + "/" + placeOf(name, page));
}

std::vector<Draft> Drafts::all() const {
  if (state_.empty()) return {};
  std::vector<Kept> found;
  std::string folder = state_ + "/" + this->folder();
  for (const files::Entry& entry : files::entriesBeneath({state_}, folder, mostDrafts)) {
    if (entry.kind != files::Entry::Kind::File || !entry.name.ends_with(".json")) continue;
    auto text = files::readFileBeneath({state_}, folder + "/" + entry.name, 8 * mostBytes);
    auto json = text ? parseJson(*text) : std::nullopt;
    auto kept = json ? decode<Kept>(*json) : tl::unexpected(std::string());
    if (kept && kept->folder == root_) found.push_back(std::move(*kept));
  }
  std::sort(found.begin(), found.end(), [](const Kept& a, const Kept& b) {
    return std::tuple(a.draft.name, -a.time.value_or(0), a.draft.page) <
           std::tuple(b.draft.name, -b.time.value_or(0), b.draft.page);
  });
  std::vector<Draft> drafts;
  for (Kept& kept : found)
    drafts.push_back(std::move(kept.draft));
  return drafts;
}

} // namespace gluond::lsp
