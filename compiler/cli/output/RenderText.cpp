#include "chips/Chip.h"
#include "cli/output/Render.h"
#include "diagnostics/Table.h"
#include "driver/fixes/Fixes.h"
#include "support/Plural.h"
#include "text/Printable.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <numeric>

namespace gluond::cli {

using diagnostics::Severity;

namespace {

class TextRenderer {
public:
  TextRenderer(const Report& report, bool color) : report_(report), color_(color) {}

  std::string findings(llvm::ArrayRef<size_t> which) {
    for (size_t index : which)
      render(report_.findings()[index]);
    return std::move(out_);
  }
  std::string counts() {
    summary();
    return std::move(out_);
  }

private:
  // Untrusted text is printed through these two functions.
  void say(llvm::StringRef text) { out_ += text::printable(text, text::Lines::Indented); }
  void sayName(llvm::StringRef text) { out_ += text::printable(text, text::Lines::Escaped); }
  void paint(const char* code, llvm::StringRef text) {
    if (color_) out_ += code;
    say(text);
    if (color_) out_ += "\033[0m";
  }
  static const char* colorOf(Severity severity) {
    switch (severity) {
    case Severity::Error:
      return "\033[1;31m";
    case Severity::Warning:
      return "\033[1;35m";
    case Severity::Information:
      return "\033[1;36m";
    case Severity::Hint:
      return "\033[1;32m";
    }
    return "";
  }

  void render(const driver::Finding& finding) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    place(diagnostic.location);
    paint(colorOf(diagnostic.severity), diagnostics::severityName(diagnostic.severity));
    say(": " + diagnostic.message + " [" + diagnostics::slug(diagnostic.id).str() + "]\n");
    excerpt(diagnostic.location);
    for (const diagnostics::Related& related : diagnostic.related) {
      out_ += "  ";
      place(related.location);
      paint("\033[1m", "note");
      say(": " + related.message + "\n");
      excerpt(related.location);
    }
    for (const diagnostics::Fix& fix : diagnostic.fixes) {
      out_ += "  ";
      paint("\033[1;32m", fix.isSafe() ? "fix" : "suggestion");
      say(": " + fix.title.text + "\n");
    }
    if (finding.kernel.empty()) return;
    out_ += "  in ";
    sayName(finding.kernel);
    if (!finding.launch.empty()) {
      out_ += " as launched by ";
      sayName(finding.launch);
    }
    out_ += "\n";
  }

  void place(const diagnostics::Location& location) {
    sayName(report_.fileName(location.file));
    if (report_.file(location.file)) {
      ReportedRange at = report_.range(location);
      if (at.cell) out_ += ":cell " + std::to_string(at.cell);
      out_ +=
          ":" + std::to_string(at.begin.line + 1) + ":" + std::to_string(at.begin.character + 1);
    }
    out_ += ": ";
  }

  // The line, with the range underlined; very long lines are cut around it.
  void excerpt(const diagnostics::Location& location) {
    auto file = report_.file(location.file);
    if (!file) return;
    const text::SourceText& text = file->text();
    text::Offset begin = std::min(location.range.begin, text.size());
    uint32_t line = text.lineOf(begin);
    llvm::StringRef content = text.line(line);
    size_t column = std::min<size_t>(begin - text.lineStart(line), content.size());
    size_t end = std::min<size_t>(std::max(location.range.end, begin) - text.lineStart(line),
                                  content.size());
    constexpr size_t width = 160;
    size_t cut = 0;
    if (content.size() > width) {
      cut = column > width / 2 ? column - width / 2 : 0;
      while (cut < column && (content[cut] & 0xC0) == 0x80)
        ++cut;
      content = content.substr(cut, width);
      while (!content.empty() && (content.back() & 0x80))
        content = content.drop_back();
      column -= cut;
      end = std::min(end - cut, content.size());
    }
    std::string number = std::to_string(report_.range(location).begin.line + 1);
    out_ += std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " | ";
    say(content);
    out_ += "\n      | ";
    // Tabs stay tabs, so that the mark is placed under its text; characters count, not bytes, as
    // they are shown.
    column = std::min(column, content.size());
    for (char c : text::printable(content.take_front(column)))
      if ((c & 0xC0) != 0x80) out_ += c == '\t' ? '\t' : ' ';
    size_t marks = 0;
    for (char c : text::printable(content.slice(column, end)))
      marks += (c & 0xC0) != 0x80;
    paint("\033[1;32m", "^" + std::string(marks > 1 ? marks - 1 : 0, '~'));
    out_ += "\n";
  }

  void summary() {
    std::string text;
    for (Severity severity :
         {Severity::Error, Severity::Warning, Severity::Information, Severity::Hint}) {
      unsigned count = report_.count(severity);
      if (count == 0) continue;
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
              diagnostics::severityName(severity).str();
      if (count > 1 && severity != Severity::Information) text += "s";
    }
    if (!text.empty()) out_ += text + "\n";
  }

  const Report& report_;
  bool color_;
  std::string out_;
};

} // namespace

std::string renderText(const Report& report, bool color) {
  std::vector<size_t> all(report.findings().size());
  std::iota(all.begin(), all.end(), size_t{0});
  return renderFindings(report, all, color) + renderCounts(report);
}
std::string renderFindings(const Report& report, llvm::ArrayRef<size_t> which, bool color) {
  return TextRenderer(report, color).findings(which);
}
std::string renderCounts(const Report& report) {
  return TextRenderer(report, false).counts();
}

FixCounts fixable(const Report& report) {
  FixCounts counts;
  for (const driver::Finding& finding : report.findings()) {
    if (report.isSeenFromElsewhere(finding)) continue;
    const diagnostics::Fix* fix =
        driver::appliedFix(finding.diagnostic, diagnostics::Applicability::Suggested);
    if (!fix) continue;
    ++(fix->isSafe() ? counts.safe : counts.suggested);
  }
  return counts;
}

std::string renderSummary(const Report& report, const CheckSummary& summary, bool appliesAll) {
  std::string out;
  if (summary.fixed) out += counted(summary.fixed, "finding") + " fixed\n";
  auto [safe, suggested] = fixable(report);
  if (safe) out += "[*] " + std::to_string(safe) + " fixable with --fix\n";
  if (suggested && !appliesAll)
    out +=
        std::to_string(suggested) + (safe ? " more" : "") + " fixable with --fix --unsafe-fixes\n";
  if (summary.known)
    out += counted(summary.known, "finding is", "findings are") + " in the baseline\n";
  if (summary.gone)
    out += counted(summary.gone, "finding of the baseline is", "findings of the baseline are") +
           " no longer there; --update-baseline removes " + (summary.gone == 1 ? "it" : "them") +
           "\n";
  constexpr size_t most = 20; // of each list
  const driver::Coverage& coverage = summary.coverage;
  out += "Checked " + counted(summary.files, "file") + ": " + counted(coverage.kernels, "kernel") +
         " in " + counted(coverage.specializations, "specialization");
  // The target is told where it is not the one that gluond assumes by default.
  if (coverage.targets.size() > 1 ||
      (coverage.targets.size() == 1 && coverage.targets.front() != chips::standardTarget))
    out += " for " + llvm::join(coverage.targets, ", ");
  if (coverage.withoutLaunch)
    out += ", " + std::to_string(coverage.withoutLaunch) + " without a launch";
  out += "\n";
  if (summary.unconcerned) out += counted(summary.unconcerned, "file") + " without Gluon skipped\n";
  if (!coverage.modulesNotFound.empty()) {
    llvm::ArrayRef<std::string> modules = coverage.modulesNotFound;
    out += "Modules that were not found, whose values are unknown: " +
           text::printable(llvm::join(modules.take_front(most), ", "), text::Lines::Escaped);
    if (modules.size() > most) out += " and " + std::to_string(modules.size() - most) + " more";
    out += "\n";
  }
  if (!coverage.gaps.empty())
    out += "Not analyzed completely: " + counted(coverage.gaps.size(), "kernel") + "\n";
  for (size_t i = 0; i < coverage.gaps.size() && i < most; ++i)
    out += "  " +
           text::printable(summary.gapFiles[i] + ": " + coverage.gaps[i].kernel + ": " +
                               coverage.gaps[i].reason,
                           text::Lines::Escaped) +
           "\n";
  if (coverage.gaps.size() > most)
    out += "  and " + std::to_string(coverage.gaps.size() - most) + " more\n";
  return out;
}

} // namespace gluond::cli
