#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "diagnostics/Table.h"
#include "lsp/protocol/Codec.h"

namespace gluond::cli {

using lsp::Json;

namespace {

Json jsonPosition(text::Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json jsonRange(const driver::File* file, text::Range range) {
  if (!file) return {{"start", jsonPosition({})}, {"end", jsonPosition({})}};
  return {{"start", jsonPosition(file->text().position(range.begin))},
          {"end", jsonPosition(file->text().position(range.end))}};
}

Json jsonFinding(const Report& report, const driver::Finding& finding) {
  const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
  auto file = report.file(diagnostic.location.file);
  Json related = Json::array(), fixes = Json::array();
  for (const diagnostics::Related& note : diagnostic.related)
    related.push_back(
        {{"file", report.fileName(note.location.file)},
         {"range", jsonRange(report.file(note.location.file).get(), note.location.range)},
         {"message", note.message}});
  for (const diagnostics::Fix& fix : diagnostic.fixes) {
    Json edits = Json::array();
    for (const text::Edit& edit : fix.edits)
      edits.push_back({{"range", jsonRange(file.get(), edit.range)}, {"newText", edit.text}});
    fixes.push_back(
        {{"title", fix.title.text},
         {"applicability", diagnostics::applicabilityName(fix.title.applicability).str()},
         {"edits", edits}});
  }
  Json json = Json::object();
  json["file"] = report.fileName(diagnostic.location.file);
  json["range"] = jsonRange(file.get(), diagnostic.location.range);
  json["severity"] = diagnostics::severityName(diagnostic.severity).str();
  json["code"] = diagnostics::slug(diagnostic.id).str();
  json["message"] = diagnostic.message;
  json["related"] = std::move(related);
  json["fixes"] = std::move(fixes);
  json["kernel"] = finding.kernel.empty() ? Json(nullptr) : Json(finding.kernel);
  json["launch"] = finding.launch.empty() ? Json(nullptr) : Json(finding.launch);
  return json;
}

} // namespace

std::string renderJson(const Report& report) {
  Json list = Json::array();
  for (const driver::Finding& finding : report.findings())
    list.push_back(jsonFinding(report, finding));
  return jsonText(list, 1) + "\n";
}

} // namespace gluond::cli
