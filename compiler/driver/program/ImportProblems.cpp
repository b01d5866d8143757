#include "driver/program/ImportProblems.h"

#include "chips/Vendor.h"
#include "codegen/suggestions/FormerNames.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "diagnostics/Reporter.h"
#include "driver/hostfixes/Advice.h"
#include "driver/hostfixes/ForgottenDots.h"
#include "driver/hostfixes/MethodFixes.h"
#include "driver/program/DecoratorProblems.h"
#include "driver/workspace/AbsentModules.h"
#include "driver/workspace/ImportStatements.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/types/Builtin.h"
#include "releases/ApiChanges.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

using diagnostics::FixId;
using diagnostics::Id;
using Missing = evaluate::MissingImport;

namespace {

class Teller {
public:
  // Without a snapshot, only errors are told.
  Teller(const EvaluatedFile& program, const Snapshot* snapshot, const Interner& names,
         std::vector<diagnostics::Diagnostic>& out)
      : program_(program), snapshot_(snapshot), names_(names), imports_(program.tree()),
        advice_(program.file().text().size()), out_(out), emit_(out, program.file().id()) {}

  void tell(const Missing& missing) {
    size_t before = out_.size();
    tellUnlessKnown(missing);
    // Python's traceback names the line that the statement begins in.
    const auto* statement = imports_.around<syntax::ImportFrom>(missing.range);
    if (!statement || statement->module.empty()) return;
    text::Range head{statement->range.begin, statement->module.back().range.end};
    const text::SourceText& text = program_.file().text();
    if (text.lineOf(head.begin) == text.lineOf(missing.range.begin)) return;
    for (size_t i = before; i < out_.size(); ++i)
      diagnostics::InFlight(&out_[i]).related(diagnostics::NoteId::RaisedHere,
                                              {program_.file().id(), head});
  }

private:
  void tellUnlessKnown(const Missing& missing) {
    if (!missing.isCertain) return;
    bool isOfTriton = missing.module == "triton" || missing.module.starts_with("triton.");
    if (isOfTriton && evaluate::isFileOfTriton(program_.file().path())) return;
    switch (missing.kind) {
    case Missing::Kind::Name:
      return missing.from && missing.from->globals ? tellName(missing) : tellTritonName(missing);
    case Missing::Kind::Module:
      return tellModule(missing);
    case Missing::Kind::NotFound: // it is reported where a name is missing because of it
      if (!tellOtherGluon(missing)) tellAbsentModule(missing);
    }
  }

  // The import's name, and its uses where the file spells them alike.
  std::vector<text::Edit> respelled(const Missing& missing, const std::string& meant) const {
    std::vector<text::Edit> edits{{missing.range, meant}};
    if (boundName(missing) != missing.name) return edits; // `import ... as`
    bool isOtherwiseBound = false;
    std::vector<text::Edit> uses;
    for (const syntax::Stmt* stmt : program_.tree().body())
      syntax::walk(stmt, [&](const syntax::Node* node) {
        if (auto* use = llvm::dyn_cast<syntax::NameExpr>(node); use && use->name == missing.name)
          uses.push_back({use->range, meant});
        if (auto* def = llvm::dyn_cast<syntax::FunctionDef>(node))
          isOtherwiseBound |= llvm::any_of(
              def->parameters, [&](auto& each) { return each.name.name == missing.name; });
        return true;
      });
    if (!isOtherwiseBound) edits.insert(edits.end(), uses.begin(), uses.end());
    return edits;
  }

  void fix(auto& told, const Missing& missing, llvm::StringRef wanted,
           const codegen::Nearest& nearest) {
    if (nearest.name().empty()) return;
    std::vector<text::Edit> edits = respelled(missing, nearest.name().str());
    if (nearest.isClear())
      told.fix(FixId::CorrectSpelling, std::move(edits), wanted, nearest.name());
    else
      told.fix(FixId::DidYouMean, std::move(edits), wanted, nearest.name());
  }

  releases::Release release() const { return program_.evaluation().release(); }
  std::string releaseName() const { return "Triton " + releases::name(release()).str(); }

  // A name that other releases of Triton have. Returns false if none has it, or if there is better
  // advice.
  bool tellOtherRelease(const Missing& missing, llvm::StringRef wanted) {
    if (codegen::findFormerName(missing.module, wanted) && release() == releases::newest)
      return false;
    std::optional<releases::Life> life = releases::lifeOf(missing.module, wanted);
    if (!life) life = releases::lifeOfModule((missing.module + "." + wanted).str());
    if (!life || life->holds(release())) return false;
    llvm::StringRef instead;
    if (auto* next = releases::successorOf(missing.module, wanted); next && release() > life->last)
      instead = next->replacement;
    if (auto* before = releases::predecessorOf(release(), missing.module, wanted))
      instead = before->name;
    auto told =
        emit_(Id::MissingImport, missing.range, wanted,
              "'" + missing.module.str() + "' of " + releaseName(),
              ": " + textOf(*life) + (instead.empty() ? "" : "; use '" + instead.str() + "'"));
    if (!instead.empty())
      told.fix(FixId::DidYouMean, {{missing.range, instead.str()}}, wanted, instead);
    else if (release() > life->last)
      offerMethod(told, missing, wanted);
    return true;
  }

  // A function that is a method now.
  void offerMethod(auto& told, const Missing& missing, llvm::StringRef wanted) const {
    const auto* import = imports_.around<syntax::ImportFrom>(missing.range);
    if (!import) return;
    auto edits = callsOfMethod(program_.tree(), *import, missing.range, wanted, boundName(missing));
    if (edits.empty()) return;
    std::string text = edits.size() > 1 ? edits[1].text : std::string("no import");
    told.fix(FixId::TryText, std::move(edits), text);
  }

  void offerNamesOf(llvm::StringRef module, const language::BuiltinModule* known,
                    codegen::Nearest& nearest) const {
    auto offer = [&](llvm::StringRef name) {
      if (!name.starts_with("_")) nearest.offer(name);
    };
    llvm::SmallVector<const language::Builtin*> rows;
    if (known) language::namesOf(known->id, rows);
    for (const language::Builtin* row : rows)
      offer(row->name);
    if (rows.empty())
      for (llvm::StringRef name : evaluate::tritonNames(module))
        offer(name);
    for (llvm::StringRef other : evaluate::tritonModules())
      if (evaluate::isTritonModule(other, release()) == true && other.consume_front(module) &&
          other.consume_front(".") && !other.contains('.'))
        offer(other);
  }

  void tellTritonName(const Missing& missing) {
    llvm::StringRef wanted = names_.text(missing.name);
    if (wanted.empty()) return; // still to be written, which is reported
    if (tellOtherRelease(missing, wanted)) return;
    if (wanted.starts_with("_")) return;
    codegen::Nearest nearest(wanted);
    const language::BuiltinModule* known = language::findModule(missing.module);
    if (advice_.take()) offerNamesOf(missing.module, known, nearest);
    const codegen::FormerName* dropped = codegen::findFormerName(missing.module, wanted);
    if (dropped && !dropped->advice.empty()) {
      auto told =
          emit_(Id::MissingImport, missing.range, wanted, "module '" + missing.module.str() + "'",
                ": Triton 3.9.0 has dropped it; " + dropped->advice.str());
      return offerMethod(told, missing, wanted);
    }
    auto told = emit_(Id::UnknownAttribute, missing.range, "module '" + missing.module.str() + "'",
                      wanted.str());
    if (!dropped) {
      llvm::StringRef sibling = codegen::siblingFor(wanted, [&](llvm::StringRef name) {
        return known &&
               (language::findBuiltin(known->id, name) || language::findSubmodule(*known, name));
      });
      if (!nearest.isClear() && !sibling.empty())
        return void(told.fix(FixId::TryText, {{missing.range, sibling.str()}}, sibling));
      if (!advice_.take()) return;
      if (!nearest.isClear() && offerUndefined(told, missing, wanted)) return;
      std::string module = moduleWith(missing, wanted);
      if (module.empty()) return fix(told, missing, wanted, nearest);
      if (offerModule(told, missing, wanted, module) || nearest.name().empty()) return;
      told.fix(FixId::DidYouMean, respelled(missing, nearest.name().str()), wanted, nearest.name());
      return;
    }
    told.fix(FixId::DidYouMean, {{missing.range, dropped->replacement.str()}}, wanted,
             dropped->replacement);
  }

  // The module has a name that the file uses and never defines: it was meant to be imported. The
  // names share a part, as warpgroup_mma and wgmma do with `mma`.
  bool offerUndefined(auto& told, const Missing& missing, llvm::StringRef wanted) {
    const language::BuiltinModule* known = language::findModule(missing.module);
    const language::ModuleObject* own = program_.module();
    if (!known || !own || !own->globals) return false;
    if (!undefined_) {
      undefined_.emplace();
      llvm::DenseSet<Name> seen;
      for (const syntax::Stmt* stmt : program_.tree().body())
        syntax::walk(stmt, [&](const syntax::Node* node) {
          auto* name = llvm::dyn_cast<syntax::NameExpr>(node);
          if (name && own->globals->get(name->name).isAbsent() && seen.insert(name->name).second)
            undefined_->push_back(names_.text(name->name));
          return true;
        });
    }
    llvm::StringRef found;
    for (llvm::StringRef text : *undefined_) {
      bool isSimilar =
          text.take_back(3) == wanted.take_back(3) || text.take_front(4) == wanted.take_front(4);
      if (isSimilar && language::findBuiltin(known->id, text)) found = text;
    }
    if (found.empty()) return false;
    told.fix(FixId::TryText, {{missing.range, found.str()}}, found);
    return true;
  }

  Name boundName(const Missing& missing) const {
    Name bound;
    imports_.boundBy(missing.range, [&](Name name) { bound = name; });
    return bound;
  }

  // A module that was not found, and that the decorator of a kernel takes for Gluon. Returns false
  // for any other.
  bool tellOtherGluon(const Missing& missing) {
    auto [package, rest] = missing.module.split('.');
    if (evaluate::isMisspeltTriton(package)) {
      std::string meant = rest.empty() ? "triton" : "triton." + rest.str();
      if (!evaluate::isTritonModule(meant).value_or(false)) return false;
      auto told = emit_(Id::UnlikelyModule, missing.range, missing.module, meant);
      told.fix(FixId::TryText, {{missing.range, meant}}, meant);
      return true;
    }
    size_t at = ("." + missing.module + ".").str().find(".gluon.");
    if (at == std::string::npos || missing.module.starts_with("triton.")) return false;
    std::string meant = "triton.experimental." + missing.module.drop_front(at).str();
    if (!evaluate::isTritonModule(meant).value_or(false)) return false;
    if (!kernels_) kernels_ = lostKernelsOf(program_, names_);
    bool isUsed = llvm::any_of(*kernels_, [&](const LostKernel& lost) {
      return names_.text(lost.root->name) == "gluon" || boundName(missing) == lost.root->name;
    });
    if (!isUsed) return false;
    const auto* statement = imports_.around<syntax::Import>(missing.range);
    auto told = emit_(Id::UnlikelyModule, missing.range, missing.module, meant);
    // `import gluon` binds the last part of the path, `import gluon.language` the first one.
    bool bindsName =
        statement && statement->names.size() == 1 && !statement->names.front().asName.name;
    if (!bindsName)
      told.fix(FixId::TryText, {{missing.range, meant}}, meant);
    else if (missing.module == "gluon")
      told.fix(
          FixId::TryText,
          {{{statement->range.begin, missing.range.end}, "from triton.experimental import gluon"}},
          "from triton.experimental import gluon");
    return true;
  }

  // A module that should be a file of the workspace.
  void tellAbsentModule(const Missing& missing) {
    if (!snapshot_ || !advice_.take()) return;
    const syntax::Node* statement = imports_.around<syntax::ImportFrom>(missing.range);
    if (!statement) statement = imports_.around<syntax::Import>(missing.range);
    if (!statement) return;
    auto absent =
        absentModule(*snapshot_, program_.file(), program_.tree(), *statement, missing.range);
    if (!absent) return;
    llvm::StringRef name = program_.file().text().slice(absent->range);
    auto told =
        emit_(Id::MissingImport, absent->range, name, "the folder '" + absent->folder + "'",
              absent->meant.empty() ? std::string() : "; did you mean '" + absent->meant + "'?");
    if (auto* diagnostic = told.get()) diagnostic->severity = diagnostics::Severity::Warning;
    if (absent->meant.empty()) return;
    std::vector<text::Edit> edits{{absent->range, absent->meant}};
    if (absent->isSlip && !absent->mayBeElsewhere)
      told.fix(FixId::CorrectSpelling, std::move(edits), name, absent->meant);
    else
      told.fix(FixId::DidYouMean, std::move(edits), name, absent->meant);
  }

  // Returns how many parts two modules have in common, in this order: 3 for a.b.x.c and a.b.c.
  static size_t sharedParts(llvm::StringRef a, llvm::StringRef b) {
    llvm::SmallVector<llvm::StringRef, 8> rest;
    b.split(rest, '.');
    size_t count = 0, next = 0;
    for (llvm::StringRef part : llvm::split(a, '.')) {
      auto found = std::find(rest.begin() + static_cast<ptrdiff_t>(next), rest.end(), part);
      if (found == rest.end()) continue;
      ++count;
      next = static_cast<size_t>(found - rest.begin()) + 1;
    }
    return count;
  }

  // Another module has the name, and only that: `from triton import gluon`.
  std::string moduleWith(const Missing& missing, llvm::StringRef wanted) const {
    std::string found;
    size_t foundShared = 0;
    for (llvm::StringRef module : evaluate::tritonModules()) {
      auto [parent, last] = module.rsplit('.');
      llvm::StringRef holder = last == wanted                                              ? parent
                               : llvm::is_contained(evaluate::tritonNames(module), wanted) ? module
                                                                                           : "";
      bool isGluons = (module + ".").str().find(".gluon.") != std::string::npos;
      if (holder.empty() || !isGluons) continue;
      // One near the module that was written, for the target's vendor, and of those the shortest:
      // people import it from there.
      bool isAmd = chips::isAmd(program_.target());
      bool isOtherVendor = holder.contains(isAmd ? ".nvidia" : ".amd");
      if (isOtherVendor && missing.module.contains(isAmd ? ".amd" : ".nvidia")) continue;
      size_t shared = 2 * sharedParts(holder, missing.module) + !isOtherVendor;
      if (found.empty() || shared > foundShared ||
          (shared == foundShared && holder.size() < found.size())) {
        found = holder.str();
        foundShared = shared;
      }
    }
    return found == missing.module ? std::string() : found;
  }
  // Returns whether the statement imports nothing else, so that its module can be replaced.
  bool offerModule(auto& told, const Missing& missing, llvm::StringRef wanted,
                   const std::string& found) {
    const auto* statement = imports_.around<syntax::ImportFrom>(missing.range);
    if (!statement || statement->names.size() != 1 || statement->module.empty()) return false;
    text::Range range{statement->module.front().range.begin, statement->module.back().range.end};
    told.fix(FixId::TryText, {{range, found}}, "from " + found + " import " + wanted.str());
    return true;
  }

  // A name that a file of the workspace does not define.
  void tellName(const Missing& missing) {
    const EvaluatedFile::Part* part = program_.part(*missing.from);
    // In broken text, or if names may have been added dynamically, not all names are known.
    if (!part || !part->tree->errors().empty()) return;
    llvm::StringRef wanted = names_.text(missing.name);
    if (missing.from->globals->contains(Name{})) return;
    // A package may have modules besides names, and those may be built or installed later.
    llvm::StringRef file = llvm::sys::path::filename(missing.from->path);
    std::optional<AbsentModule> absent;
    if (file == "__init__.py" && snapshot_) {
      absent = absentModule(*snapshot_, missing.from->path, wanted, 1);
      if (!absent) return;
    }
    codegen::Nearest nearest(wanted);
    bool isAdvised = advice_.take();
    for (auto [name, value] : *missing.from->globals)
      if (isAdvised && !value.isAbsent() && names_.text(name) != wanted)
        nearest.offer(names_.text(name));
    if (absent && isAdvised) nearest.offer(absent->meant);
    std::string holder = absent ? "the package '" + absent->folder + "'" : "'" + file.str() + "'";
    // At a star, the name is not written: `__all__` has it.
    bool isStar = program_.file().text().slice(missing.range) != wanted;
    if (isStar) holder = "'__all__' of '" + missing.module.str() + "' contains it, but " + holder;
    auto told = emit_(Id::MissingImport, missing.range, wanted, holder,
                      nearest.name().empty() ? std::string()
                                             : "; did you mean '" + nearest.name().str() + "'?");
    if (auto* diagnostic = told.get()) diagnostic->severity = diagnostics::Severity::Warning;
    if (isStar) return;
    fix(told, missing, wanted, nearest);
  }

  // A module that other releases of Triton have, or a module inside of one.
  bool tellOtherRelease(const Missing& missing) {
    for (llvm::StringRef at = missing.module; at.contains('.'); at = at.rsplit('.').first) {
      std::optional<releases::Life> life = releases::lifeOfModule(at);
      if (!life || life->holds(release())) continue;
      auto [parent, last] = at.rsplit('.');
      emit_(Id::MissingImport, missing.range, last, "'" + parent.str() + "' of " + releaseName(),
            ": " + textOf(*life));
      return true;
    }
    return false;
  }

  // A module of Triton that is imported where Gluon's language is meant.
  void tellOtherLanguage(const Missing& missing) {
    const std::string meant = "triton.experimental.gluon.language";
    llvm::StringRef bound = names_.text(boundName(missing));
    auto told = emit_(Id::UnknownAttribute, missing.range,
                      "module '" + missing.module.str() + "', which is imported as '" +
                          bound.str() + "' here,",
                      names_.text(missing.name).str());
    if (imports_.around<syntax::Import>(missing.range)) {
      told.fix(FixId::TryText, {{missing.range, meant}}, meant);
      return;
    }
    const auto* statement = imports_.around<syntax::ImportFrom>(missing.range);
    if (!statement || statement->names.size() != 1) return;
    std::string text = "from triton.experimental.gluon import language" +
                       (bound == "language" ? std::string() : " as " + bound.str());
    told.fix(FixId::TryText, {{statement->range, text}}, text);
  }

  void tellModule(const Missing& missing) {
    if (missing.name) return tellOtherLanguage(missing);
    if (tellOtherRelease(missing)) return;
    std::string meant = advice_.take() ? moduleMeantBy(missing.module) : std::string();
    auto told = emit_(Id::MissingModule, missing.range, missing.module,
                      meant.empty() ? std::string() : "; did you mean '" + meant + "'?");
    if (!meant.empty())
      told.fix(FixId::DidYouMean, {{missing.range, meant}}, missing.module, meant);
  }

  // Returns the module of Triton that a misspelt or outdated name refers to: part by part, or
  // another one with the same last part; "" if it is not known.
  static std::string moduleMeantBy(llvm::StringRef module) {
    std::string sofar = "triton";
    llvm::StringRef rest = module.split('.').second;
    while (!rest.empty()) {
      auto [part, after] = rest.split('.');
      rest = after;
      std::string next = sofar + "." + part.str();
      if (!evaluate::isTritonModule(next).value_or(true)) {
        codegen::Nearest nearest(part);
        for (llvm::StringRef other : evaluate::tritonModules())
          if (other.consume_front(sofar) && other.consume_front(".") && !other.contains('.') &&
              !other.starts_with("_"))
            nearest.offer(other);
        if (nearest.name().empty()) return sameLastPart(module);
        next = sofar + "." + nearest.name().str();
      }
      sofar = next;
    }
    return sofar;
  }
  static std::string sameLastPart(llvm::StringRef module) {
    // Of several, the one with the most of the other parts.
    llvm::StringRef found;
    size_t most = 0;
    for (llvm::StringRef other : evaluate::tritonModules()) {
      if (other.rsplit('.').second != module.rsplit('.').second) continue;
      size_t shared = sharedParts(other, module);
      if (shared < most) continue;
      found = shared == most ? "" : other;
      most = shared;
    }
    return found.str();
  }

  const EvaluatedFile& program_;
  const Snapshot* snapshot_;
  const Interner& names_;
  ImportStatements imports_;
  std::optional<std::vector<LostKernel>> kernels_;        // without a known decorator
  std::optional<std::vector<llvm::StringRef>> undefined_; // names that the file uses
  Advice advice_;
  std::vector<diagnostics::Diagnostic>& out_;
  diagnostics::Reporter emit_;
};

} // namespace

void tellImportProblems(const EvaluatedFile& program, const Snapshot& snapshot,
                        std::vector<diagnostics::Diagnostic>& out) {
  Teller teller(program, &snapshot, snapshot.names(), out);
  for (const Missing& missing : program.evaluation().missingImports())
    teller.tell(missing);
  tellForgottenDots(program.file(), program.tree(), snapshot, out);
}

// Whether code runs later than its module, if at all: in a function, or if it is a script.
static bool runsLater(const syntax::SyntaxTree& tree, text::Range place) {
  bool isLater = false;
  auto asksForName = [&](const syntax::Node* node) {
    auto* branch = llvm::dyn_cast<syntax::If>(node);
    return branch && tree.source().slice(branch->test->range).contains("__name__");
  };
  auto after = llvm::partition_point(
      tree.body(), [&](const syntax::Stmt* each) { return each->range.begin <= place.begin; });
  if (after == tree.body().begin()) return false;
  syntax::walk(*std::prev(after), [&](const syntax::Node* node) {
    bool covers = node->range.begin <= place.begin && place.end <= node->range.end;
    isLater |= covers && (llvm::isa<syntax::FunctionDef>(node) || asksForName(node));
    return covers;
  });
  return isLater;
}

std::vector<diagnostics::Diagnostic> importErrors(const EvaluatedFile& program,
                                                  const Interner& names) {
  std::vector<diagnostics::Diagnostic> told;
  Teller teller(program, nullptr, names, told);
  for (const Missing& missing : program.evaluation().missingImports())
    if (missing.kind != Missing::Kind::NotFound && !runsLater(program.tree(), missing.range))
      teller.tell(missing);
  // Names of Triton's modules that the code of the file uses, which other releases have.
  for (const diagnostics::Diagnostic& each : program.diagnostics())
    if (each.id == Id::ModuleException && each.location.file == program.file().id() &&
        !runsLater(program.tree(), each.location.range))
      told.push_back(each);
  llvm::erase_if(told, [](const diagnostics::Diagnostic& each) {
    return each.severity != diagnostics::Severity::Error;
  });
  return told;
}

// Whether a module was looked for and not found, and is none of Python's own.
static bool isNotFound(const Missing& missing) {
  llvm::StringRef package = missing.module.split('.').first;
  return missing.kind == Missing::Kind::NotFound && package != "gluond" && // which is this one's
         !evaluate::pythonHas("standard library", package);
}

std::vector<std::string> modulesNotFound(const EvaluatedFile& program) {
  std::vector<std::string> modules;
  llvm::StringSet<> seen;
  ImportStatements imports(program.tree());
  llvm::DenseSet<text::Offset> told; // where parts of names begin
  for (const diagnostics::Diagnostic& each : program.diagnostics())
    if (each.id == Id::MissingImport) told.insert(each.location.range.begin);
  auto isTold = [&](text::Range place) {
    auto text = program.file().text().slice(place);
    for (size_t part = 0; part != llvm::StringRef::npos;) {
      if (told.contains(place.begin + static_cast<text::Offset>(part))) return true;
      size_t dot = text.find('.', part);
      part = dot == llvm::StringRef::npos ? dot : dot + 1;
    }
    return false;
  };
  for (const Missing& missing : program.evaluation().missingImports()) {
    bool isSlip = evaluate::isMisspeltTriton(missing.module.split('.').first); // which is told
    if (!missing.isCertain || !isNotFound(missing) || isSlip || isTold(missing.range)) continue;
    llvm::StringRef before = program.file().text().text().take_front(missing.range.begin);
    auto* from = imports.around<syntax::ImportFrom>(missing.range);
    bool isMember = from && from->module.empty(); // from . import x
    std::string dots = isMember ? std::string(from->level, '.') : before.ends_with(".") ? "." : "";
    std::string module = dots + program.file().text().slice(missing.range).str();
    if (seen.insert(module).second) modules.push_back(std::move(module));
  }
  return modules;
}

bool launchesLostName(const EvaluatedFile& program) {
  llvm::DenseSet<Name> lost;
  ImportStatements imports(program.tree());
  for (const Missing& missing : program.evaluation().missingImports())
    if (isNotFound(missing)) imports.boundBy(missing.range, [&](Name name) { lost.insert(name); });
  bool found = false;
  if (!lost.empty())
    for (const syntax::Stmt* stmt : program.tree().body())
      syntax::walk(stmt, [&](const syntax::Node* node) {
        auto* call = llvm::dyn_cast<syntax::Call>(node);
        auto* launcher = call ? llvm::dyn_cast<syntax::Subscript>(call->func) : nullptr;
        auto* name = launcher ? syntax::ownerOf(launcher->value) : nullptr;
        found |= name && lost.contains(name->name);
        return !found;
      });
  return found;
}

std::optional<LostImport> lostImportOf(const EvaluatedFile& program, const Interner& names,
                                       const language::FunctionObject& kernel) {
  llvm::ArrayRef<Missing> all = program.evaluation().missingImports();
  if (all.empty() || !kernel.def) return std::nullopt;
  // The names that the kernel mentions, and those that the functions mention that it mentions.
  llvm::DenseSet<Name> mentioned;
  llvm::SmallVector<const syntax::FunctionDef*> pending{kernel.def};
  llvm::DenseSet<const syntax::FunctionDef*> seen{kernel.def};
  while (!pending.empty()) {
    const syntax::FunctionDef* def = pending.pop_back_val();
    syntax::walk(def, [&](const syntax::Node* node) {
      auto* name = llvm::dyn_cast<syntax::NameExpr>(node);
      if (!name || !mentioned.insert(name->name).second) return true;
      for (const language::FunctionObject* function : program.evaluation().functions())
        if (function->def && function->def->name.name == name->name &&
            seen.insert(function->def).second)
          pending.push_back(function->def);
      return true;
    });
  }
  ImportStatements imports(program.tree());
  for (const Missing& missing : all) {
    if (missing.kind == Missing::Kind::NotFound && !isNotFound(missing)) continue;
    std::optional<LostImport> lost;
    imports.boundBy(missing.range, [&](Name name) {
      if (!lost && mentioned.contains(name))
        lost = LostImport{{program.file().id(), missing.range},
                          names.text(name).str(),
                          missing.module.str(),
                          missing.kind == Missing::Kind::Name};
    });
    if (lost) return lost;
  }
  return std::nullopt;
}

} // namespace gluond::driver
