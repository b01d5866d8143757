#include "lsp/handlers/ServedFiles.h"

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
struct ReadParams {
  std::string name;
  GLUOND_FIELDS(field("name", &ReadParams::name))
};
struct ReadResult {
  std::string text;
  GLUOND_FIELDS(field("text", &ReadResult::text))
};
struct SaveParams {
  std::string name, text;
  GLUOND_FIELDS(field("name", &SaveParams::name), field("text", &SaveParams::text))
};

} // namespace

void addServedFiles(Router& router, const ServedFolder& folder) {
  using Context = RequestContext;
  router.request<Nothing, FilesResult>(
      "serve/files", std::function([folder](const Nothing&, const Context&) -> Answer<FilesResult> {
        return FilesResult{uriFromPath(folder.path()), folder.files()};
      }));
  router.request<ReadParams, ReadResult>(
      "serve/read",
      std::function([folder](const ReadParams& p, const Context&) -> Answer<ReadResult> {
        auto text = folder.read(p.name);
        if (!text) return fail(text.error());
        return ReadResult{std::move(*text)};
      }));
  router.request<SaveParams, Nothing>(
      "serve/save", std::function([folder](const SaveParams& p, const Context&) -> Answer<Nothing> {
        if (auto saved = folder.save(p.name, p.text); !saved) return fail(saved.error());
        return Nothing{};
      }));
}

} // namespace gluond::lsp
