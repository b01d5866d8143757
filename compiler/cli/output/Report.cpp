#include "cli/output/Render.h"
#include "driver/notebooks/NotebookFile.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::cli {

using diagnostics::Severity;

void Report::add(std::vector<driver::Finding> findings) {
  llvm::move(findings, std::back_inserter(findings_));
}

void Report::name(const std::string& path, const std::string& asGiven) {
  names_[path] = {asGiven, names_.size()};
}

void Report::add(std::vector<driver::Finding> findings, const std::string& path) {
  for (driver::Finding& finding : findings) {
    const diagnostics::Location& at = finding.diagnostic.location;
    auto [it, isNew] = told_.try_emplace(keyOf(finding), findings_.size(), path);
    if (isNew) {
      pending_.push_back(findings_.size());
      findings_.push_back(std::move(finding));
      continue;
    }
    auto& [index, teller] = it->second;
    std::string own = snapshot_->path(at.file);
    if (teller == own || (path != own && teller < path)) continue;
    teller = path;
    findings_[index] = std::move(finding);
  }
}

Report::Key Report::keyOf(const driver::Finding& finding) {
  const diagnostics::Location& at = finding.diagnostic.location;
  return {at.file.id, at.range.begin, at.range.end, static_cast<unsigned>(finding.diagnostic.id)};
}

bool Report::isSeenFromElsewhere(const driver::Finding& finding) const {
  auto told = told_.find(keyOf(finding));
  return told != told_.end() &&
         told->second.second != snapshot_->path(finding.diagnostic.location.file);
}

// Findings at one place keep their order.
Report::Place Report::placeOf(size_t index) const {
  const diagnostics::Location& at = findings_[index].diagnostic.location;
  std::string path = snapshot_->path(at.file);
  auto it = names_.find(path);
  size_t file = it == names_.end() ? names_.size() : it->second.order;
  return {file, std::move(path), at.range.begin, at.range.end, index};
}

std::vector<size_t> Report::takeDue(std::optional<std::string> file) {
  size_t last = file ? names_.at(*file).order : names_.size();
  std::vector<Place> order;
  llvm::erase_if(pending_, [&](size_t index) {
    Place place = placeOf(index);
    if (std::get<0>(place) > last) return false;
    order.push_back(std::move(place));
    return true;
  });
  llvm::sort(order);
  std::vector<size_t> due;
  for (const Place& each : order)
    due.push_back(std::get<size_t(4)>(each));
  return due;
}

void Report::sort() {
  std::vector<Place> order;
  for (size_t i = 0; i < findings_.size(); ++i)
    order.push_back(placeOf(i));
  llvm::sort(order);
  std::vector<driver::Finding> sorted;
  for (const auto& each : order)
    sorted.push_back(std::move(findings_[std::get<size_t(4)>(each)]));
  findings_ = std::move(sorted);
}

size_t Report::remove(llvm::function_ref<bool(const driver::Finding&)> isRemoved) {
  size_t before = findings_.size();
  llvm::erase_if(findings_, isRemoved);
  return before - findings_.size();
}

bool Report::failed(Severity least) const {
  return llvm::any_of(findings_, [&](const driver::Finding& finding) {
    return finding.diagnostic.severity <= least;
  });
}

unsigned Report::count(Severity severity) const {
  return static_cast<unsigned>(llvm::count_if(
      findings_, [&](const driver::Finding& f) { return f.diagnostic.severity == severity; }));
}

void CheckSummary::add(const std::string& file, const driver::Coverage& more) {
  checked.push_back(file);
  coverage.add(more);
  gapFiles.resize(coverage.gaps.size(), file);
}

std::string Report::path(diagnostics::FileId id) const {
  return snapshot_->path(id);
}

std::string Report::fileName(diagnostics::FileId id) const {
  std::string path = snapshot_->path(id);
  if (auto it = names_.find(path); it != names_.end()) return it->second.asGiven;
  llvm::StringRef beneath = path;
  if (!folder_.empty()) beneath.consume_front(folder_ + "/");
  return beneath.str();
}

std::string inCell(const ReportedRange& range) {
  return range.cell ? " (cell " + std::to_string(range.cell) + ", line " +
                          std::to_string(range.begin.line + 1) + ")"
                    : "";
}

ReportedRange Report::range(diagnostics::FileId id, text::Range range) const {
  auto own = file(id);
  if (!own) return {};
  text::Position begin = own->text().position(range.begin), end = own->text().position(range.end);
  if (const auto& notebook = own->notebook()) {
    auto first = notebook->placeOf(begin.line), last = notebook->placeOf(end.line);
    begin.line = first.line;
    // The break after a cell's last line is in no cell.
    if (last.cell == first.cell)
      end.line = last.line;
    else
      end = begin;
    return {first.cell, begin, end, first.fileLine, std::max(first.fileLine, last.fileLine)};
  }
  return {0, begin, end, begin.line, end.line};
}

std::shared_ptr<const driver::File> Report::file(diagnostics::FileId id) const {
  return snapshot_->found(snapshot_->path(id));
}

} // namespace gluond::cli
