#include "lsp/handlers/session/ServedFiles.h"

#include "lsp/handlers/Document.h"
#include "lsp/protocol/Messages.h"
#include "lsp/protocol/Uri.h"

namespace gluond::lsp {

namespace {

struct FilesResult {
  std::string root;
  std::vector<std::string> files;
  GLUOND_FIELDS(field("root", &FilesResult::root), field("files", &FilesResult::files))
};
struct NameParams {
  std::string name;
  GLUOND_FIELDS(field("name", &NameParams::name))
};
struct DropParams {
  std::string name;
  std::optional<std::string> page;
  GLUOND_FIELDS(field("name", &DropParams::name), field("page", &DropParams::page))
};
struct ReadResult {
  std::string text, revision;
  GLUOND_FIELDS(field("text", &ReadResult::text), field("revision", &ReadResult::revision))
};
struct SaveParams {
  std::string name, text, base;
  GLUOND_FIELDS(field("name", &SaveParams::name), field("text", &SaveParams::text),
                field("base", &SaveParams::base))
};
struct SaveResult {
  bool isConflict = false;
  std::string revision;
  GLUOND_FIELDS(field("isConflict", &SaveResult::isConflict),
                field("revision", &SaveResult::revision))
};
struct FileRevision {
  std::string name, revision;
  GLUOND_FIELDS(field("name", &FileRevision::name), field("revision", &FileRevision::revision))
};
struct ChangesParams {
  std::vector<FileRevision> open;
  std::string stamp;
  GLUOND_FIELDS(field("open", &ChangesParams::open), field("stamp", &ChangesParams::stamp))
};
struct ChangesResult {
  std::vector<FileRevision> changed;
  std::string stamp;
  std::optional<std::vector<std::string>> files;
  GLUOND_FIELDS(field("changed", &ChangesResult::changed), field("stamp", &ChangesResult::stamp),
                field("files", &ChangesResult::files))
};
struct DraftsResult {
  std::vector<Draft> drafts;
  GLUOND_FIELDS(field("drafts", &DraftsResult::drafts))
};

ChangesResult changesSince(const ServedFolder& folder, const ChangesParams& known) {
  ChangesResult result;
  for (const FileRevision& file : known.open)
    if (std::string now = folder.revision(file.name); now != file.revision)
      result.changed.push_back({file.name, now});
  std::vector<std::string> files = folder.files();
  result.stamp = folder.stamp(files);
  if (result.stamp != known.stamp) result.files = std::move(files);
  return result;
}

} // namespace

void addServedFiles(Router& router, const ServedFolder& folder, const Drafts& drafts) {
  using Context = RequestContext;
  router.request<Nothing, FilesResult>(
      "serve/files", std::function([folder](const Nothing&, const Context&) -> Answer<FilesResult> {
        return FilesResult{uriFromPath(folder.path()), folder.files()};
      }));
  router.request<NameParams, ReadResult>(
      "serve/read",
      std::function([folder](const NameParams& p, const Context&) -> Answer<ReadResult> {
        auto read = folder.read(p.name);
        if (!read) return fail(read.error());
        return ReadResult{std::move(read->text), std::move(read->revision)};
      }));
  router.request<SaveParams, SaveResult>(
      "serve/save",
      std::function([folder](const SaveParams& p, const Context&) -> Answer<SaveResult> {
        auto saved = folder.save(p.name, p.text, p.base);
        if (!saved) return fail(saved.error());
        return SaveResult{saved->isConflict, std::move(saved->revision)};
      }));
  router.request<ChangesParams, ChangesResult>(
      "serve/changes",
      std::function([folder](const ChangesParams& p, const Context&) -> Answer<ChangesResult> {
        return changesSince(folder, p);
      }));
  router.request<Draft, Nothing>(
      "serve/keep", std::function([drafts](const Draft& p, const Context&) -> Answer<Nothing> {
        if (auto kept = drafts.keep(p); !kept) return fail(kept.error());
        return Nothing{};
      }));
  router.request<DropParams, Nothing>(
      "serve/drop", std::function([drafts](const DropParams& p, const Context&) -> Answer<Nothing> {
        drafts.drop(p.name, p.page);
        return Nothing{};
      }));
  router.request<Nothing, DraftsResult>(
      "serve/drafts",
      std::function([drafts](const Nothing&, const Context&) -> Answer<DraftsResult> {
        return DraftsResult{drafts.all()};
      }));
}

} // namespace gluond::lsp
