#include "driver/findings/BrokenText.h"

#include "driver/notebooks/SyntaxErrors.h"
#include "syntax/tree/BoundNames.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using namespace syntax;
using diagnostics::Diagnostic, diagnostics::Id, diagnostics::Severity;

namespace {

// Doubt goes from a definition to its uses, which mostly follow it.
constexpr unsigned mostRounds = 8;

// What only a module without syntax errors does, or what only its launches could tell.
bool isOfModule(Id id) {
  return llvm::is_contained({Id::ModuleException, Id::TypedDefaults, Id::NotAnalyzed}, id);
}

} // namespace

class BrokenText::Reader {
public:
  Reader(BrokenText& out, const text::SourceText& source) : out_(out), source_(source) {}

  void read(Stmts body) {
    for (const Stmt* stmt : body) {
      out_.units_.emplace_back();
      visit(*stmt);
    }
  }

private:
  void visit(const Stmt& stmt) {
    auto index = static_cast<uint32_t>(out_.steps_.size());
    {
      Step& step = out_.steps_.emplace_back();
      step.begin = beginOf(stmt);
      step.unit = static_cast<uint32_t>(out_.units_.size() - 1);
      step.around = around_;
      step.isInFunction = isInFunction_;
      step.isLoop = llvm::isa<For, While>(stmt);
      step.isDefinition = llvm::isa<FunctionDef, ClassDef>(stmt);
      step.isImport = llvm::isa<Import, ImportFrom>(stmt) ||
                      (llvm::isa<ErrorStmt>(stmt) && beginsImport(source_.slice(stmt.range)));
      step.mayBindMore = llvm::isa<ErrorStmt, Import, ImportFrom, For, With>(stmt);
    }
    forEachBoundName(stmt, [&](Name name) {
      if (name) out_.steps_[index].binds.push_back(name);
    });
    std::vector<const Stmt*> inner;
    forEachChild(stmt, [&](const Node& child) {
      if (auto* each = llvm::dyn_cast<Stmt>(&child))
        inner.push_back(each);
      else
        mention(child, out_.steps_[index]);
    });
    uint32_t outer = std::exchange(around_, index);
    bool wasInFunction =
        std::exchange(isInFunction_, isInFunction_ || llvm::isa<FunctionDef, ClassDef>(stmt));
    for (const Stmt* each : inner)
      visit(*each);
    around_ = outer;
    isInFunction_ = wasInFunction;
  }

  // With decorators, each of which has a line of its own.
  text::Offset beginOf(const Stmt& stmt) const {
    auto of = [&](Exprs decorators) {
      if (decorators.empty()) return stmt.range.begin;
      return std::min(stmt.range.begin,
                      source_.lineStart(source_.lineOf(decorators.front()->range.begin)));
    };
    if (auto* def = llvm::dyn_cast<FunctionDef>(&stmt)) return of(def->decorators);
    if (auto* cls = llvm::dyn_cast<ClassDef>(&stmt)) return of(cls->decorators);
    return stmt.range.begin;
  }
  static bool beginsImport(llvm::StringRef text) {
    return text.starts_with("from") || text.starts_with("import");
  }

  static void mention(const Node& node, Step& step) {
    if (auto* name = llvm::dyn_cast<NameExpr>(&node)) step.mentions.push_back(name->name);
    // A member of a module that is broken.
    if (auto* attribute = llvm::dyn_cast<Attribute>(&node))
      if (llvm::isa<NameExpr>(attribute->value)) step.mentions.push_back(attribute->attribute.name);
    forEachChild(node, [&](const Node& child) { mention(child, step); });
  }

  BrokenText& out_;
  const text::SourceText& source_;
  uint32_t around_ = none;
  bool isInFunction_ = false;
};

BrokenText::BrokenText(Source file, llvm::ArrayRef<Source> imported)
    : interner_(file.tree->interner()), file_(file.tree->file()) {
  for (const Source& other : imported) {
    if (other.tree == file.tree || !hasSyntaxErrors(*other.tree, other.path)) continue;
    isBroken_ = true;
    const BrokenText& theirs = imported_.emplace_back(BrokenText(other, {}));
    names_.insert_range(theirs.names_);
    bindsUnknown_ |= theirs.bindsUnknown_;
    importsUnknown_ |= theirs.importsUnknown_;
  }
  std::vector<Diagnostic> errors = syntaxErrors(*file.tree, file.path);
  llvm::erase_if(errors, [](const Diagnostic& each) { return each.severity != Severity::Error; });
  isBroken_ |= !errors.empty();
  if (!isBroken_) return;
  Reader(*this, file.tree->source()).read(file.tree->body());
  markErrors(errors);
  spread();
}

const BrokenText::Step* BrokenText::stepAt(text::Offset offset) const {
  auto after = llvm::upper_bound(steps_, offset,
                                 [](text::Offset at, const Step& step) { return at < step.begin; });
  return after == steps_.begin() ? nullptr : &*std::prev(after);
}

void BrokenText::markErrors(llvm::ArrayRef<Diagnostic> errors) {
  for (const Diagnostic& error : errors)
    if (const Step* step = stepAt(error.location.range.begin))
      steps_[static_cast<size_t>(step - steps_.data())].isDoubtful = true;
  for (Step& step : steps_) {
    if (!step.isDoubtful || !step.mayBindMore) continue;
    importsUnknown_ |= step.isImport;
    (step.isInFunction ? units_[step.unit].bindsUnknown : bindsUnknown_) = true;
  }
}

void BrokenText::spread() {
  bool grows = true;
  for (unsigned round = 0; grows && round < mostRounds; ++round) {
    grows = false;
    auto add = [&](llvm::DenseSet<Name>& names, Name name) { grows |= names.insert(name).second; };
    for (Step& step : steps_) {
      Unit& unit = units_[step.unit];
      // Nothing is known of the parameters of a function whose header is broken.
      bool isInBroken = step.around != none && steps_[step.around].isDoubtful &&
                        (steps_[step.around].isDefinition || steps_[step.around].isInBroken);
      step.isInBroken = isInBroken;
      if (!step.isDoubtful)
        step.isDoubtful = isInBroken || llvm::any_of(step.mentions, [&](Name name) {
                            return unit.names.contains(name) || names_.contains(name);
                          });
      if (!step.isDoubtful) continue;
      unit.isDoubtful = true;
      for (Name name : step.binds)
        add(step.isInFunction ? unit.names : names_, name);
      // What a function returns, and does, is in doubt as well.
      for (uint32_t at = step.around; at != none; at = steps_[at].around) {
        steps_[at].isAroundDoubt = true;
        if (steps_[at].isDefinition)
          for (Name name : steps_[at].binds)
            add(steps_[at].isInFunction ? unit.names : names_, name);
      }
    }
  }
}

bool BrokenText::explains(const Diagnostic& finding, llvm::StringRef kernel) const {
  if (!isBroken_) return false;
  if (importsUnknown_ || isOfModule(finding.id)) return true;
  bool isLint = finding.severity != Severity::Error;
  if (isLint && !kernel.empty() && names_.contains(interner_.intern(kernel.split('.').first)))
    return true;
  // What a broken call gives to a helper.
  if (llvm::any_of(finding.related, [&](const diagnostics::Related& each) {
        const Step* call =
            each.location.file == file_ ? stepAt(each.location.range.begin) : nullptr;
        return call && call->isDoubtful;
      }))
    return true;
  if (finding.location.file != file_)
    return llvm::any_of(imported_, [&](const BrokenText& theirs) {
      return theirs.file_ == finding.location.file && theirs.explains(finding, "");
    });
  const Step* step = stepAt(finding.location.range.begin);
  if (!step) return false;
  const Unit& unit = units_[step->unit];
  if (finding.id == Id::UndefinedName && (bindsUnknown_ || unit.bindsUnknown)) return true;
  if (isLint && unit.isDoubtful) return true;
  // What a loop carries is found at its header.
  return step->isDoubtful || (step->isLoop && step->isAroundDoubt);
}

} // namespace gluond::driver
