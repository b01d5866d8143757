#include "lsp/handlers/Diagnostics.h"

#include "diagnostics/Table.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

namespace {

Location encodeLocation(const diagnostics::Location& location, const RequestContext& context) {
  std::string path = context.snapshot.path(location.file);
  Location result{context.client.uri(path), {}};
  if (auto file = context.snapshot.file(path))
    result.range = PositionMap(file->text(), context.client.encoding).range(location.range);
  return result;
}

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
    related.push_back({encodeLocation(*place, context), diagnostic.message});
    for (const diagnostics::Related& note : diagnostic.related)
      if (note.location.file == file.id()) place = &note.location;
  }
  result.range = place->file == file.id()
                     ? PositionMap(file.text(), context.client.encoding).range(place->range)
                     : Range{};
  for (const diagnostics::Related& note : diagnostic.related)
    related.push_back({encodeLocation(note.location, context), note.message});
  if (!related.empty()) result.relatedInformation = std::move(related);
  return result;
}

std::optional<Publication> publishedDiagnostics(const std::string& path,
                                                const RequestContext& context, bool isQuick) {
  auto file = context.snapshot.file(path);
  if (!file) return std::nullopt;
  auto result = driver::check(context.snapshot, file, context.worker, context.token,
                              isQuick ? driver::Depth::Quick : driver::Depth::Full);
  if (!result) return std::nullopt;
  Publication publication{{context.client.uri(path), file->version(), {}}, result->isComplete};
  for (const driver::Finding& finding : result->findings)
    publication.params.diagnostics.push_back(encodeDiagnostic(finding.diagnostic, *file, context));
  return publication;
}

} // namespace gluond::lsp
