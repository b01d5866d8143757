// The tool apply_fix.
#include "diagnostics/Table.h"
#include "driver/fixes/FixTrial.h"
#include "driver/fixes/Fixes.h"
#include "driver/notebooks/SyntaxErrors.h"
#include "mcp/tools/Findings.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::mcp {

namespace {

struct ApplyFixParams {
  std::string file;
  std::optional<std::string> code, title, target;
  std::optional<uint32_t> cell, line;
  std::optional<bool> suggested, preview;
  static constexpr auto fields() {
    return std::make_tuple(
        told("file", &ApplyFixParams::file, "Python file or notebook, relative to the folder."),
        ordinal("cell", &ApplyFixParams::cell, cellHelp),
        ordinal("line", &ApplyFixParams::line, "Only fix findings that begin on this line."),
        told("code", &ApplyFixParams::code, "Only fix findings with this code."),
        told("title", &ApplyFixParams::title,
             "Apply the fix with this title, which the tool check returned, safe or not."),
        told("suggested", &ApplyFixParams::suggested,
             "Also apply fixes that may change what the program does; false if left out."),
        told("preview", &ApplyFixParams::preview,
             "Return the changes and write nothing; false if left out."),
        told("target", &ApplyFixParams::target, targetHelp));
  }
};
struct ApplyFixResult {
  std::vector<std::string> applied;
  bool written = false;
  std::string diff;
  Counts left;
  std::vector<FindingInfo> findings;
  static constexpr auto fields() {
    return std::make_tuple(
        told("applied", &ApplyFixResult::applied, "Titles of the fixes."),
        told("written", &ApplyFixResult::written, "Whether the file has changed."),
        told("diff", &ApplyFixResult::diff, "The changes, as a unified diff."),
        told("left", &ApplyFixResult::left, "Findings of the file after the changes."),
        told("findings", &ApplyFixResult::findings, "The errors and warnings among them."));
  }
};

bool isSound(const driver::File& file, const Context& context) {
  auto tree = file.tree(context.snapshot->names(), context.token);
  return tree && !driver::hasSyntaxErrors(*tree, file.path());
}

bool isWanted(const driver::Finding& finding, const ApplyFixParams& params,
              const driver::File& file, const std::optional<text::Range>& line) {
  const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
  return !diagnostic.fixes.empty() && (!line || isIn(diagnostic.location, file, *line)) &&
         (!params.code || diagnostics::slug(diagnostic.id) == *params.code);
}

Answer<ApplyFixResult> applyFix(const ApplyFixParams& params, const Context& context) {
  auto found = findFile(params.file, context);
  if (!found) return tl::unexpected(std::move(found.error()));
  const driver::File& file = **found;
  std::string name = nameOf(file.path(), context);
  auto onDisk = context.folder.read(name);
  if (!onDisk) return tl::unexpected(std::move(onDisk.error()));

  std::optional<text::Range> line;
  if (params.line) {
    auto range = rangeOfLine(file, params.cell, *params.line);
    if (!range) return tl::unexpected(std::move(range.error()));
    line = *range;
  } else if (params.cell) {
    return fail("cell: line is missing");
  }
  ApplyFixResult result;
  driver::WorkerPool workers(context.worker);
  auto checked = driver::check(*context.snapshot, *found, workers, context.token);
  if (!checked) return cancelled();
  // Fixes are tried beside all findings, so that those which nobody asked for do not look new.
  std::vector<driver::Finding>& wanted = checked->findings;
  auto matches = [&](const driver::Finding& finding) {
    return isWanted(finding, params, file, line);
  };
  bool hasMatch = llvm::any_of(wanted, matches);
  driver::tryFixes(*context.snapshot, file, wanted, matches, workers, context.token);
  if (context.token.isCancelled()) return cancelled();
  llvm::erase_if(wanted, [&](const driver::Finding& each) { return !matches(each); });
  bool hasHelp = !wanted.empty();
  if (params.title) {
    for (driver::Finding& finding : wanted)
      llvm::erase_if(finding.diagnostic.fixes,
                     [&](const diagnostics::Fix& fix) { return fix.title.text != *params.title; });
    llvm::erase_if(wanted,
                   [](const driver::Finding& each) { return each.diagnostic.fixes.empty(); });
  }
  bool takesSuggested = params.title || params.suggested.value_or(false);
  driver::FixSet set = driver::fixesOf(wanted, file.id(),
                                       takesSuggested ? diagnostics::Applicability::Suggested
                                                      : diagnostics::Applicability::Safe);
  if (set.edits.empty())
    return fail(!hasMatch ? "no finding that matches has a fix; the tool check lists them"
                : !hasHelp
                    ? "no fix of a finding that matches would help: each was tried, and left the "
                      "finding or brought another one"
                : params.title ? "no fix that matches has this title; the tool check lists them"
                               : "no fix that matches is safe; with suggested: true, or with its "
                                 "title, another one is applied");
  auto after = context.snapshot->withEdits(file, set.edits);
  if (!after)
    return fail("a fix spans two cells of the notebook; apply another one with its title");
  auto changed = after->found(file.path());
  if (isSound(file, context) && !isSound(*changed, context))
    return fail("the fixes together would break the syntax; apply one of them with its title");
  for (size_t index : set.findings)
    for (const diagnostics::Fix& fix : wanted[index].diagnostic.fixes)
      if (takesSuggested || fix.isSafe()) {
        result.applied.push_back(fix.title.text);
        break;
      }
  result.diff = driver::diffOf(name, file, *changed);
  if (!params.preview.value_or(false)) {
    if (onDisk->text != file.stored())
      return fail("'" + name + "' has changed meanwhile; check it again");
    auto saved = context.folder.save(name, changed->stored().str(), onDisk->revision);
    if (!saved) return tl::unexpected(std::move(saved.error()));
    if (saved->isConflict) return fail("'" + name + "' has changed meanwhile; check it again");
    result.written = true;
  }
  if (auto left = driver::check(*after, changed, workers, context.token))
    for (const driver::Finding& finding : left->findings) {
      result.left.add(finding.diagnostic.severity);
      if (finding.diagnostic.severity <= diagnostics::Severity::Warning &&
          result.findings.size() < 100)
        result.findings.push_back(encodeFinding(finding, *after, context));
    }
  return result;
}

} // namespace

Tool applyFixTool() {
  return makeTool<applyFix>(
      "apply_fix", "Apply fixes",
      "Applies the safe fixes of a file's findings, or the one fix with the given title, writes "
      "the file, and returns the changes and what is left. It writes only in the folder, and "
      "nothing if the file has changed since it was read.",
      Cost::File, /*writes=*/true);
}

} // namespace gluond::mcp
