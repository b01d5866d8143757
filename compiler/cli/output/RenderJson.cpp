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

// Adds `range` and, for a notebook, `cell`.
Json withRange(Json json, const ReportedRange& range) {
  json["range"] = {{"start", jsonPosition(range.begin)}, {"end", jsonPosition(range.end)}};
  if (range.cell) json["cell"] = range.cell;
  return json;
}

Json jsonFinding(const Report& report, const driver::Finding& finding) {
  const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
  Json related = Json::array(), fixes = Json::array();
  for (const diagnostics::Related& note : diagnostic.related) {
    Json json =
        withRange({{"file", report.fileName(note.location.file)}}, report.range(note.location));
    json["message"] = note.message;
    related.push_back(std::move(json));
  }
  for (const diagnostics::Fix& fix : diagnostic.fixes) {
    Json edits = Json::array();
    for (const text::Edit& edit : fix.edits) {
      Json json = withRange(Json::object(), report.range(diagnostic.location.file, edit.range));
      json["newText"] = edit.text;
      edits.push_back(std::move(json));
    }
    fixes.push_back(
        {{"title", fix.title.text},
         {"applicability", diagnostics::applicabilityName(fix.title.applicability).str()},
         {"edits", edits}});
  }
  Json json = withRange({{"file", report.fileName(diagnostic.location.file)}},
                        report.range(diagnostic.location));
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
