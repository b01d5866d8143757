// Findings in the forms that CI services read: GitHub's workflow commands, GitLab's Code Quality
// report, and JUnit's XML.
#include "cli/output/FindingIdentity.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "diagnostics/Table.h"
#include "text/Printable.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

using diagnostics::Severity;

namespace {

using Json = nlohmann::ordered_json;

struct Place {
  uint32_t line = 1, column = 1, endLine = 1, endColumn = 1; // of the file, counted from 1
  bool hasColumns = true; // false for the JSON of a notebook, where no one counts them
};
Place placeOf(const Report& report, const diagnostics::Location& location) {
  ReportedRange at = report.range(location);
  return {at.fileLine + 1, at.begin.character + 1, at.fileEnd + 1, at.end.character + 1,
          at.cell == 0};
}

// The path as services want it: relative to the folder that the job runs in.
std::string pathOf(llvm::StringRef given) {
  while (given.consume_front("./"))
    given = given.ltrim('/');
  return given.str();
}
std::string pathOf(const Report& report, const diagnostics::Location& location) {
  return pathOf(report.fileName(location.file));
}

// The message, and the notes at other places.
std::string messageOf(const Report& report, const driver::Finding& finding) {
  std::string text = finding.diagnostic.message + inCell(report.range(finding.diagnostic.location));
  for (const diagnostics::Related& note : finding.diagnostic.related)
    text += "\n" + pathOf(report, note.location) + ":" +
            std::to_string(placeOf(report, note.location).line) + ": " + note.message +
            inCell(report.range(note.location));
  return text;
}

// GitHub's commands end at a line's end, and their properties at commas and colons. What else could
// steer a terminal is escaped, because logs are shown on terminals, too.
std::string githubText(llvm::StringRef text, bool isProperty) {
  std::string out;
  for (char c : text::printable(text))
    if (c == '%' || c == '\n' || (isProperty && (c == ':' || c == ',')))
      out += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
    else
      out += c;
  return out;
}

// XML has no control characters but tabs and line breaks.
std::string xmlText(llvm::StringRef text) {
  std::string out;
  for (char c : text::printable(text))
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\n':
      out += "&#10;";
      break;
    default:
      out += c;
    }
  return out;
}

bool isFailure(const driver::Finding& finding) {
  return finding.diagnostic.severity == Severity::Error ||
         finding.diagnostic.severity == Severity::Warning;
}

} // namespace

std::string renderGithub(const Report& report, const CheckSummary&) {
  std::string out;
  for (const driver::Finding& finding : report.findings()) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    Place place = placeOf(report, diagnostic.location);
    out += diagnostic.severity == Severity::Error     ? "::error "
           : diagnostic.severity == Severity::Warning ? "::warning "
                                                      : "::notice ";
    out += "file=" + githubText(pathOf(report, diagnostic.location), true) +
           ",line=" + std::to_string(place.line) + ",endLine=" + std::to_string(place.endLine);
    if (place.hasColumns && place.line == place.endLine) // columns of several lines are refused
      out +=
          ",col=" + std::to_string(place.column) + ",endColumn=" + std::to_string(place.endColumn);
    out += ",title=" + githubText(diagnostics::slug(diagnostic.id), true) +
           "::" + githubText(messageOf(report, finding), false) + "\n";
  }
  return out;
}

std::string renderGitlab(const Report& report, const CheckSummary&) {
  auto severityOf = [](Severity severity) {
    return severity == Severity::Error         ? "critical"
           : severity == Severity::Warning     ? "major"
           : severity == Severity::Information ? "minor"
                                               : "info";
  };
  Json list = Json::array();
  for (const auto& [finding, fingerprint] :
       llvm::zip_equal(report.findings(), fingerprintsOf(report))) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    Place place = placeOf(report, diagnostic.location);
    list.push_back({{"description", messageOf(report, finding)},
                    {"check_name", diagnostics::slug(diagnostic.id).str()},
                    {"fingerprint", fingerprint},
                    {"severity", severityOf(diagnostic.severity)},
                    {"location",
                     {{"path", pathOf(report, diagnostic.location)},
                      {"lines", {{"begin", place.line}, {"end", place.endLine}}}}}});
  }
  return jsonText(list, 1) + "\n";
}

// A suite for each file, a case for each finding, and one that passes for a file without any.
std::string renderJunit(const Report& report, const CheckSummary& summary) {
  std::map<std::string, std::vector<const driver::Finding*>> files;
  for (const std::string& file : summary.checked)
    files[pathOf(file)];
  for (const driver::Finding& finding : report.findings())
    files[pathOf(report, finding.diagnostic.location)].push_back(&finding);
  size_t cases = 0, failures = 0;
  std::string suites;
  for (const auto& [file, findings] : files) {
    std::string name = xmlText(file);
    auto failed = static_cast<size_t>(
        llvm::count_if(findings, [](const auto* each) { return isFailure(*each); }));
    suites += "  <testsuite name=\"" + name + "\" tests=\"" +
              std::to_string(std::max<size_t>(findings.size(), 1)) + "\" failures=\"" +
              std::to_string(failed) + "\" errors=\"0\">\n";
    if (findings.empty())
      suites += "    <testcase name=\"gluond check\" classname=\"" + name + "\"/>\n";
    llvm::StringMap<size_t> seen; // of two cases with one name, services show one
    for (const driver::Finding* finding : findings) {
      const diagnostics::Diagnostic& diagnostic = finding->diagnostic;
      std::string code = xmlText(diagnostics::slug(diagnostic.id));
      if (size_t number = ++seen[code]; number > 1) code += " (" + std::to_string(number) + ")";
      std::string message = xmlText(messageOf(report, *finding)),
                  line = std::to_string(placeOf(report, diagnostic.location).line);
      suites += "    <testcase name=\"" + code + "\" classname=\"" + name + "\" file=\"" + name +
                "\" line=\"" + line + "\">";
      // A hint is no failure, as it does not make `check` fail.
      suites += isFailure(*finding)
                    ? "<failure type=\"" + diagnostics::severityName(diagnostic.severity).str() +
                          "\" message=\"" + message + "\">" + name + ":" + line + ": " + message +
                          "</failure>"
                    : "<system-out>" + name + ":" + line + ": " + message + "</system-out>";
      suites += "</testcase>\n";
    }
    suites += "  </testsuite>\n";
    cases += std::max<size_t>(findings.size(), 1);
    failures += failed;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gluond check\" tests=\"" +
         std::to_string(cases) + "\" failures=\"" + std::to_string(failures) +
         "\" errors=\"0\">\n" + suites + "</testsuites>\n";
}

} // namespace gluond::cli
