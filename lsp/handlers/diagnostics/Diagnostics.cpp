#include "lsp/handlers/diagnostics/Diagnostics.h"

#include "diagnostics/Table.h"
#include "diagnostics/Traits.h"
#include "driver/launches/Kernels.h"
#include "driver/program/FileWork.h"
#include "driver/settings/Configuration.h"
#include "driver/users/Importers.h"
#include "driver/workspace/ProjectSettings.h"
#include "driver/workspace/WorkspaceFiles.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "support/Plural.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/xxhash.h>

#include <map>

namespace gluond::lsp {

namespace {

int lspSeverity(diagnostics::Severity severity) {
  return static_cast<int>(severity) + 1;
}

} // namespace

Diagnostic encodeDiagnostic(const diagnostics::Diagnostic& diagnostic, const driver::File& file,
                            const RequestContext& context) {
  Diagnostic result;
  result.severity = lspSeverity(diagnostic.severity);
  std::string slug = diagnostics::slug(diagnostic.id).str();
  if (!context.client.documentation.empty())
    result.codeDescription = CodeDescription{context.client.documentation + "#" + slug};
  result.code = std::move(slug);
  result.message = diagnostic.message;

  std::vector<DiagnosticRelatedInformation> related;
  const diagnostics::Location* place = &diagnostic.location;
  if (place->file != file.id()) {
    // The cause is in an imported file; the document shows it at its own outermost call.
    related.push_back({encodePlace(*place, context), diagnostic.message});
    for (const diagnostics::Related& note : diagnostic.related)
      if (note.location.file == file.id()) place = &note.location;
  }
  result.range = place->file == file.id()
                     ? PositionMap(file.text(), context.client.encoding).range(place->range)
                     : Range{};
  for (const diagnostics::Related& note : diagnostic.related)
    related.push_back({encodePlace(note.location, context), note.message});
  if (!related.empty()) result.relatedInformation = std::move(related);
  return result;
}

namespace {

// In a file that launches kernels without mentioning Gluon, only launches are ours.
bool isAboutLaunch(const driver::Finding& finding) {
  return !finding.kernel.empty() ||
         diagnostics::has(finding.diagnostic.id, diagnostics::Trait::OfLaunch);
}

// Names the launch that a finding is of, where hints and panels show another one.
void addLaunch(Diagnostic& diagnostic, const driver::Finding& finding,
               const llvm::StringMap<const driver::Kernel*>& kernels,
               const RequestContext& context) {
  const driver::Kernel* kernel = kernels.lookup(finding.kernel);
  const driver::Variant* variant = kernel ? kernel->find(finding.launch) : nullptr;
  if (!variant || !variant->source || variant == &kernel->variants[kernel->selected]) return;
  if (!diagnostic.relatedInformation) diagnostic.relatedInformation.emplace();
  diagnostic.relatedInformation->push_back(
      {encodePlace(*variant->source, context), "in the launch " + variant->label});
}

// Tells how many findings of a document are left out.
Diagnostic leftOut(size_t count) {
  Diagnostic note;
  note.severity = lspSeverity(diagnostics::Severity::Information);
  note.message = counted(count, "more finding of this file is", "more findings of this file are") +
                 " left out; `gluond check` lists all";
  return note;
}

// The findings that a document shows: the worst ones, if there are too many. Of kernels in other
// files that it launches, it shows errors alone; their warnings stand in those files. Exceptions of
// functions in other files are its own, because it makes the calls.
std::vector<const driver::Finding*> shownOf(const std::vector<driver::Finding>& findings,
                                            const driver::File& file, bool isOurs) {
  std::vector<const driver::Finding*> shown;
  for (const driver::Finding& finding : findings) {
    const diagnostics::Diagnostic& each = finding.diagnostic;
    bool isHere = each.location.file == file.id() ||
                  each.severity == diagnostics::Severity::Error ||
                  diagnostics::has(each.id, diagnostics::Trait::EndsModule);
    if (isHere && (isOurs || isAboutLaunch(finding))) shown.push_back(&finding);
  }
  if (shown.size() > mostDiagnostics)
    llvm::sort(shown, [](const driver::Finding* a, const driver::Finding* b) {
      return std::pair(a->diagnostic.severity, a) < std::pair(b->diagnostic.severity, b);
    });
  return shown;
}

// The diagnostics of a document and whether they are complete; nullopt if cancelled. Files that do
// not use Gluon are left to other servers.
struct Checked {
  std::vector<Diagnostic> diagnostics;
  bool isComplete = true;
};
std::optional<Checked> checked(const std::shared_ptr<const driver::File>& file,
                               const RequestContext& context, driver::Depth depth) {
  Checked result;
  driver::FileWork work(context.snapshot, file); // what it imports may be looked at, too
  bool isOurs = mentionsGluon(file->text().text()) || context.plainPython(*file);
  if (!isOurs && !driver::reachesGluon(context.snapshot, *file)) return result;
  auto found = driver::check(context.snapshot, file, context.worker, context.token, depth);
  if (!found) return std::nullopt;
  result.isComplete = found->isComplete;
  auto list = driver::kernelsOf(context.snapshot, file, context.token);
  llvm::StringMap<const driver::Kernel*> kernels; // a file may have as many as findings
  if (list)
    for (const driver::Kernel& kernel : list->kernels)
      kernels.try_emplace(kernel.qualname, &kernel);
  std::vector<const driver::Finding*> shown = shownOf(found->findings, *file, isOurs);
  for (const driver::Finding* finding : llvm::ArrayRef(shown).take_front(mostDiagnostics)) {
    result.diagnostics.push_back(encodeDiagnostic(finding->diagnostic, *file, context));
    addLaunch(result.diagnostics.back(), *finding, kernels, context);
  }
  if (shown.size() > mostDiagnostics)
    result.diagnostics.push_back(leftOut(shown.size() - mostDiagnostics));
  return result;
}

// A report of pulled diagnostics: "unchanged" where the client has the same already.
Json report(const std::vector<Diagnostic>& diagnostics,
            const std::optional<std::string>& previous) {
  Json items = encode(diagnostics);
  std::string id = llvm::utohexstr(llvm::xxh3_64bits(dumpJson(items)));
  if (previous == id) return {{"kind", "unchanged"}, {"resultId", id}};
  return {{"kind", "full"}, {"resultId", id}, {"items", std::move(items)}};
}

} // namespace

std::optional<Publication> publishedDiagnostics(const std::string& path,
                                                const RequestContext& context, bool isQuick) {
  auto file = context.snapshot.found(path);
  if (!file) return std::nullopt;
  auto found = checked(file, context, isQuick ? driver::Depth::Quick : driver::Depth::Full);
  if (!found) return std::nullopt;
  return Publication{{context.client.uri(path), file->version(), std::move(found->diagnostics)},
                     found->isComplete};
}

// Returns what is known now; the server asks the client to request again if there is more.
Answer<Json> documentDiagnostic(const DocumentDiagnosticParams& params,
                                const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto found = checked(document->file, context, driver::Depth::Quick);
  if (!found) return tl::unexpected(ResponseError{ErrorCode::ServerCancelled, "cancelled"});
  return report(found->diagnostics, params.previousResultId);
}

// Covers every file of the workspace that mentions Gluon or uses one that does; and deleted ones
// that the client still has results for.
Answer<Json> workspaceDiagnostic(const WorkspaceDiagnosticParams& params,
                                 const RequestContext& context) {
  std::map<std::string, std::pair<std::string, std::string>> previous; // path -> uri, result id
  for (const PreviousResultId& each : params.previousResultIds)
    previous[pathFromUri(each.uri)] = {each.uri, each.value};
  context.progress.begin("Checking the workspace");
  Json items = Json::array();
  auto files = driver::filesWith(context.snapshot, "gluon", context.token);
  for (size_t i = 0, count = files.size(); i < count; ++i) // they may launch without naming Gluon
    if (auto users = driver::importersOf(context.snapshot, files[i], context.token))
      for (const auto& user : users->files)
        if (user.isNear() && !llvm::is_contained(files, user.file)) files.push_back(user.file);
  for (const std::string& root : context.snapshot.settings().roots)
    if (auto project = driver::projectOf(context.snapshot, root))
      if (auto file = context.snapshot.found(project->path); !llvm::is_contained(files, file))
        files.push_back(std::move(file));
  for (const auto& [i, file] : llvm::enumerate(files)) {
    context.progress.report(i, files.size());
    auto found = checked(file, context, driver::Depth::Full);
    if (!found) return tl::unexpected(ResponseError{ErrorCode::ServerCancelled, "cancelled"});
    std::optional<std::string> known;
    if (auto it = previous.find(file->path()); it != previous.end()) {
      known = it->second.second;
      previous.erase(it);
    }
    if (!known && found->diagnostics.empty()) continue;
    Json item = {{"uri", context.client.uri(file->path())}, {"version", nullptr}};
    if (file->version()) item["version"] = *file->version();
    item.update(report(found->diagnostics, known));
    items.push_back(std::move(item));
  }
  for (const auto& [path, known] : previous) {
    Json item = {{"uri", known.first}, {"version", nullptr}};
    item.update(report({}, known.second));
    items.push_back(std::move(item));
  }
  return Json{{"items", std::move(items)}};
}

} // namespace gluond::lsp
