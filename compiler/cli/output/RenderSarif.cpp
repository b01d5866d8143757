// SARIF, the form that code hosts read.
#include "cli/output/FindingIdentity.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "diagnostics/Table.h"
#include "lsp/protocol/Codec.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace gluond::cli {

using lsp::Json;

namespace {

// SARIF counts from 1.
Json sarifRegion(const Report& report, diagnostics::FileId file, text::Range range) {
  if (!report.file(file)) return Json{{"startLine", 1}};
  ReportedRange at = report.range(file, range);
  // A notebook's columns are those of its JSON, which no one sees.
  if (at.cell) return {{"startLine", at.fileLine + 1}, {"endLine", at.fileEnd + 1}};
  return {{"startLine", at.begin.line + 1},
          {"startColumn", at.begin.character + 1},
          {"endLine", at.end.line + 1},
          {"endColumn", at.end.character + 1}};
}

// A relative reference as URIs have it, or a URI for an absolute path. Code hosts resolve relative
// ones against the repository.
Json sarifArtifact(const Report& report, diagnostics::FileId file) {
  std::string name = report.fileName(file);
  std::string uri = name.starts_with("/") ? "file://" : "";
  for (llvm::StringRef rest = llvm::StringRef(name); !rest.empty(); rest = rest.drop_front()) {
    if (uri.empty() && rest.consume_front("./") && rest.empty()) break;
    char c = rest.front();
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  }
  return {{"uri", uri}};
}

Json sarifLocation(const Report& report, const diagnostics::Location& location) {
  return {{"physicalLocation",
           {{"artifactLocation", sarifArtifact(report, location.file)},
            {"region", sarifRegion(report, location.file, location.range)}}}};
}

// "layout-mismatch" as words: "Layout mismatch".
std::string sentenceOf(llvm::StringRef slug) {
  std::string words = slug.str();
  std::replace(words.begin(), words.end(), '-', ' ');
  if (!words.empty()) words.front() = llvm::toUpper(words.front());
  return words;
}

const char* sarifLevel(diagnostics::Severity severity) {
  switch (severity) {
  case diagnostics::Severity::Error:
    return "error";
  case diagnostics::Severity::Warning:
    return "warning";
  default:
    return "note";
  }
}

} // namespace

std::string renderSarif(const Report& report, const CheckSummary& summary) {
  Json rules = Json::array(), results = Json::array();
  std::map<diagnostics::Id, size_t> ruleIndex;
  for (const auto& [finding, fingerprint] :
       llvm::zip_equal(report.findings(), fingerprintsOf(report))) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    const diagnostics::Row& row = diagnostics::row(diagnostic.id);
    ReportedRange at = report.range(diagnostic.location);
    auto [it, isNew] = ruleIndex.try_emplace(diagnostic.id, rules.size());
    if (isNew)
      rules.push_back({{"id", row.slug.str()},
                       {"name", row.name.str()},
                       {"shortDescription", {{"text", sentenceOf(row.slug)}}},
                       {"fullDescription", {{"text", row.meaning.str()}}},
                       {"help", {{"text", row.remedy.str()}}},
                       {"defaultConfiguration", {{"level", sarifLevel(diagnostic.severity)}}}});
    Json result = {{"ruleId", row.slug.str()},
                   {"ruleIndex", it->second},
                   {"level", sarifLevel(diagnostic.severity)},
                   {"message", {{"text", diagnostic.message + inCell(at)}}},
                   {"locations", Json::array({sarifLocation(report, diagnostic.location)})},
                   {"partialFingerprints", {{"gluondFinding/v1", fingerprint}}}};
    Json related = Json::array();
    for (const diagnostics::Related& note : diagnostic.related) {
      Json location = sarifLocation(report, note.location);
      location["message"] = {{"text", note.message + inCell(report.range(note.location))}};
      related.push_back(std::move(location));
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    Json fixes = Json::array();
    for (const diagnostics::Fix& fix : diagnostic.fixes) {
      if (at.cell) break; // they are edits of a cell, not of the file
      Json replacements = Json::array();
      for (const text::Edit& edit : fix.edits)
        replacements.push_back(
            {{"deletedRegion", sarifRegion(report, diagnostic.location.file, edit.range)},
             {"insertedContent", {{"text", edit.text}}}});
      Json change = {{"artifactLocation", sarifArtifact(report, diagnostic.location.file)},
                     {"replacements", replacements}};
      fixes.push_back(
          {{"description", {{"text", fix.title.text}}},
           {"artifactChanges", Json::array({change})},
           {"properties",
            {{"applicability", diagnostics::applicabilityName(fix.title.applicability).str()}}}});
    }
    if (!fixes.empty()) result["fixes"] = std::move(fixes);
    if (!finding.kernel.empty())
      result["properties"] = {{"kernel", finding.kernel}, {"launch", finding.launch}};
    results.push_back(std::move(result));
  }
  Json driver = {{"name", "gluond"}, {"version", GLUOND_VERSION}, {"rules", rules}};
  Json run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", results}};
  Json gaps = Json::array();
  for (size_t i = 0; i < summary.coverage.gaps.size(); ++i)
    gaps.push_back({{"file", summary.gapFiles[i]},
                    {"kernel", summary.coverage.gaps[i].kernel},
                    {"reason", summary.coverage.gaps[i].reason}});
  run["properties"] = {{"coverage",
                        {{"files", summary.files},
                         {"filesWithoutGluon", summary.unconcerned},
                         {"kernels", summary.coverage.kernels},
                         {"specializations", summary.coverage.specializations},
                         {"kernelsWithoutLaunch", summary.coverage.withoutLaunch},
                         {"targets", summary.coverage.targets},
                         {"modulesNotFound", summary.coverage.modulesNotFound},
                         {"notAnalyzed", gaps}}}};
  Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}};
  return jsonText(log, 1) + "\n";
}

} // namespace gluond::cli
