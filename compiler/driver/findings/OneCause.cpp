#include "driver/findings/OneCause.h"

#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <set>
#include <tuple>

namespace gluond::driver {

using diagnostics::ArgumentOf;
using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Severity;
using diagnostics::Trait;

namespace {

bool isError(const Diagnostic& told) {
  return told.severity == Severity::Error;
}

bool contains(text::Range outer, text::Range inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

bool isName(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}
bool isConstant(llvm::StringRef name) {
  return llvm::is_contained({"None", "True", "False"}, name);
}
// A variable, or a member of one.
bool isDottedName(llvm::StringRef text) {
  return llvm::all_of(llvm::split(text, '.'), isName);
}

// The same words, perhaps at another place.
bool isSameError(const Diagnostic& one, const Diagnostic& other) {
  return one.id == other.id && one.arguments == other.arguments;
}

// In the place itself or from its end on: `[0]` after the marked buffer.
bool isCorrectedInPlace(const Diagnostic& told) {
  text::Range place = told.location.range;
  return llvm::any_of(told.fixes, [&](const diagnostics::Fix& fix) {
    return llvm::any_of(fix.edits, [&](const text::Edit& edit) {
      return place.begin <= edit.range.begin && edit.range.begin <= place.end;
    });
  });
}

// Whether an expression contains another one as a whole: `pid * B` in `pid * B + B`.
// Longer texts than people write mention nothing: each error is compared with each.
bool mentions(llvm::StringRef text, llvm::StringRef part) {
  constexpr size_t longestText = 1024, longestPart = 200;
  if (text.size() > longestText || part.size() > longestPart) return false;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  for (size_t at = text.find(part); !part.empty() && at != llvm::StringRef::npos;
       at = text.find(part, at + 1)) {
    llvm::StringRef before = text.take_front(at), after = text.drop_front(at + part.size());
    bool continues = (!before.empty() && isWord(before.back()) && isWord(part.front())) ||
                     (!after.empty() && isWord(after.front()) && isWord(part.back()));
    if (!continues) return true;
  }
  return false;
}

// `L` of `from_tensor(x, [64, 64], layout=L)`.
llvm::StringRef lastArgumentIn(llvm::StringRef call) {
  if (!call.consume_back(")")) return {};
  llvm::StringRef last = call.rsplit(',').second.trim();
  return last.contains('=') ? last.split('=').second.trim() : last;
}

// How many places one error shows; the first of each further kernel is shown in any case, because
// Triton refuses that kernel there.
constexpr size_t mostRelated = 8;

// An import that a fix inserts: the file, the place, and the text.
using Insertion = std::tuple<uint32_t, text::Offset, std::string>;

std::optional<Insertion> importInsertedFor(const Diagnostic& told) {
  if (!has(told.id, Trait::NeedsImport) || told.fixes.empty()) return std::nullopt;
  const std::vector<text::Edit>& edits = told.fixes.front().edits;
  if (edits.size() != 1) return std::nullopt;
  // Only an import is inserted elsewhere.
  const auto& [at, text] = edits.front();
  if (at.begin != at.end || contains(told.location.range, at)) return std::nullopt;
  return Insertion(told.location.file.id, at.begin, text);
}

class Causes {
public:
  Causes(std::vector<Finding>& findings, const Snapshot& snapshot)
      : findings_(findings), snapshot_(snapshot), causeOf_(findings.size(), none) {}

  void keepOneEach() {
    for (size_t i = 0; i < findings_.size(); ++i)
      if (isError(at(i))) causeOf_[i] = causeOf(i);
    for (size_t i = 0; i < findings_.size(); ++i)
      if (causeOf_[i] != none) attach(i);
    size_t i = 0;
    llvm::erase_if(findings_, [&](const Finding&) { return causeOf_[i++] != none; });
  }

private:
  static constexpr size_t none = ~size_t{0};

  const Diagnostic& at(size_t i) const { return findings_[i].diagnostic; }
  llvm::StringRef textOf(const diagnostics::Location& place) {
    auto [known, isNew] = files_.try_emplace(place.file.id);
    if (isNew) known->second = snapshot_.found(snapshot_.path(place.file));
    return known->second ? known->second->text().slice(place.range) : llvm::StringRef();
  }

  // How an error of a kind follows from another error: a function that finds that one, or none.
  struct Rule {
    Id id;
    size_t (Causes::*cause)(size_t);
    bool isOnly = false; // errors of the same kind that have something in common do not count
  };
  static llvm::ArrayRef<Rule> rules();

  size_t causeOf(size_t i) {
    const Rule* rule =
        llvm::find_if(rules(), [&](const Rule& each) { return each.id == at(i).id; });
    if (rule == rules().end()) return sameOf(i);
    size_t cause = (this->*rule->cause)(i);
    return cause != none || rule->isOnly ? cause : sameOf(i);
  }

  size_t definitionOf(size_t i) {
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      return (earlier.id == Id::UndefinedName || isSameError(earlier, at(i))) &&
             textOf(earlier.location) == textOf(at(i).location);
    });
  }
  // The same value, alone or in another expression.
  size_t sameValueOf(size_t i) {
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      llvm::StringRef one = textOf(earlier.location), other = textOf(at(i).location);
      return earlier.id == at(i).id && (mentions(one, other) || mentions(other, one));
    });
  }
  // A parameter whose value is of another kind.
  size_t wrongKindOf(size_t i) {
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      constexpr ArgumentOf value(Id::NotAnInteger, "actual"), left(Id::UnsupportedOperands, "left"),
          right(Id::UnsupportedOperands, "right");
      return earlier.id == Id::UnsupportedOperands &&
             mentions(textOf(earlier.location), textOf(at(i).location)) &&
             (argument(earlier, left) == argument(at(i), value) ||
              argument(earlier, right) == argument(at(i), value));
    });
  }
  // A descriptor of the same layout.
  size_t sameDescriptorOf(size_t i) {
    return firstBefore(i, [&](const Diagnostic& earlier) {
      llvm::StringRef layout = lastArgumentIn(textOf(at(i).location));
      return isSameError(earlier, at(i)) && isDottedName(layout) &&
             layout == lastArgumentIn(textOf(earlier.location)) &&
             earlier.location.file == at(i).location.file;
    });
  }
  // A load from a buffer of the wrong shape.
  size_t wrongBufferOf(size_t i) {
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      constexpr ArgumentOf value(Id::SharedShapeMismatch, "value"),
          buffer(Id::SharedShapeMismatch, "memory"), left(Id::ShapeMismatch, "left"),
          right(Id::ShapeMismatch, "right");
      return earlier.id == Id::SharedShapeMismatch &&
             std::minmax(argument(earlier, value), argument(earlier, buffer)) ==
                 std::minmax(argument(at(i), left), argument(at(i), right));
    });
  }
  // Layouts that follow from the same one, or are for another target.
  size_t sameThreadsOf(size_t i) {
    if (isCorrectedInPlace(at(i))) return none;
    return withSame(i, {Id::LayoutThreads, "layout_threads"},
                    {Id::LayoutThreads, "target_threads"});
  }
  size_t sameWarpsOf(size_t i) {
    if (isCorrectedInPlace(at(i))) return none;
    return withSame(i, {Id::LayoutWarps, "layout_warps"}, {Id::LayoutWarps, "kernel_warps"});
  }
  // The target lacks a feature that all of them need.
  size_t sameFeatureOf(size_t i) {
    return withSame(i, {Id::TargetTooOld, "needed"}, {Id::TargetTooOld, "target"});
  }
  // A bracket that is left over from a pair that does not match.
  size_t wrongPairOf(size_t i) {
    return firstBefore(i, [&](const Diagnostic& earlier) {
      return earlier.id == Id::MismatchedBracket && earlier.location.file == at(i).location.file;
    });
  }
  // A construct that is no valid Python either.
  size_t invalidPythonOf(size_t i) {
    size_t invalid = firstInside(i);
    return invalid != none ? invalid : reservedWordOf(i);
  }

  // An error of another kind in the first line of this one.
  size_t firstInside(size_t i) {
    text::Range range = at(i).location.range;
    size_t length = textOf(at(i).location).split('\n').first.size();
    range.end = range.begin + static_cast<text::Offset>(length);
    for (size_t k = 0; k < findings_.size(); ++k)
      if (at(k).id != at(i).id && isError(at(k)) && at(k).location.file == at(i).location.file &&
          contains(range, at(k).location.range))
        return k;
    return none;
  }
  // `warpgroup_mma_wait(0)`, of which the accumulator should have been the result.
  size_t wrongWaitOf(size_t i) {
    constexpr ArgumentOf after(Id::CarriedKindMismatch, "after");
    if (!argument(at(i), after).starts_with("asynchronous")) return none;
    for (size_t k = 0; k < findings_.size(); ++k)
      if (k != i && isError(at(k)) && findings_[k].kernel == findings_[i].kernel &&
          textOf(at(k).location).contains("warpgroup_mma_wait"))
        return k;
    return none;
  }
  // `f(x=1, 2)`: Python refuses the order of the arguments in the same line.
  size_t wrongOrderOf(size_t i) {
    for (size_t k = 0; k < findings_.size(); ++k) {
      const diagnostics::Location &one = at(k).location, &other = at(i).location;
      if (at(k).id != Id::InvalidArguments || one.file != other.file) continue;
      text::Range between{std::min(one.range.begin, other.range.begin),
                          std::max(one.range.end, other.range.end)};
      if (!textOf({one.file, between}).contains('\n')) return k;
    }
    return none;
  }
  // Python refuses each call and each definition for its own text, although the names are the same.
  size_t noCause(size_t) { return none; }
  // `async=True`: a keyword of Python is no name of an argument.
  size_t reservedWordOf(size_t i) {
    for (size_t k = 0; k < findings_.size(); ++k)
      if (at(k).id == Id::ReservedWord && at(k).location.file == at(i).location.file &&
          at(k).location.range.end + 1 == at(i).location.range.begin)
        return k;
    return none;
  }
  size_t firstBefore(size_t i, llvm::function_ref<bool(const Diagnostic&)> isCause) {
    for (size_t k = 0; k < i; ++k)
      if (causeOf_[k] == none && isError(at(k)) && isCause(at(k))) return k;
    return none;
  }
  size_t firstInKernel(size_t i, llvm::function_ref<bool(const Diagnostic&)> isCause) {
    for (size_t k = 0; k < i; ++k)
      if (causeOf_[k] == none && findings_[k].kernel == findings_[i].kernel && isError(at(k)) &&
          isCause(at(k)))
        return k;
    return none;
  }

  // The same kind of error with the same two arguments.
  size_t withSame(size_t i, ArgumentOf one, ArgumentOf other) {
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      return earlier.id == at(i).id && argument(earlier, one) == argument(at(i), one) &&
             argument(earlier, other) == argument(at(i), other);
    });
  }

  // `from x import mbarriers`, whose correction binds the name.
  size_t misspeltImportOf(size_t i) {
    llvm::StringRef name = textOf(at(i).location);
    if (!isName(name)) return none;
    return firstBefore(i, [&](const Diagnostic& earlier) {
      return has(earlier.id, Trait::OfImport) && earlier.location.file == at(i).location.file &&
             llvm::any_of(earlier.fixes, [&](const diagnostics::Fix& fix) {
               return fix.edits.size() == 1 && fix.edits.front().text == name;
             });
    });
  }

  // `acc.load` of a tensor that an operation refused, because it takes tensor memory.
  size_t wrongOwnerOf(size_t i) {
    llvm::StringRef owner = textOf(at(i).location).split('.').first;
    if (!isName(owner) || owner == textOf(at(i).location)) return none;
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      return earlier.id != Id::UndefinedName && textOf(earlier.location) == owner;
    });
  }

  // A layout, and a layout that has it as its parent, with the same problem.
  size_t innerLayoutOf(size_t i) {
    constexpr ArgumentOf layout(Id::InvalidLayout, "layout"), problem(Id::InvalidLayout, "problem");
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      return earlier.id == Id::InvalidLayout &&
             argument(earlier, problem) == argument(at(i), problem) &&
             argument(at(i), layout).contains(argument(earlier, layout));
    });
  }

  // A layout of the wrong rank, and slices and operands of it.
  size_t innerRankOf(size_t i) {
    constexpr ArgumentOf layout(Id::LayoutRankMismatch, "layout");
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      if (earlier.id != Id::LayoutRankMismatch) return false;
      llvm::StringRef one = argument(earlier, layout), other = argument(at(i), layout);
      return one != other && parentIn(one) == parentIn(other);
    });
  }
  // The layout that others are slices or operands of: the arguments of these are numbers.
  static llvm::StringRef parentIn(llvm::StringRef layout) {
    for (llvm::StringRef derived : {"gl.SliceLayout(", "gl.DotOperandLayout("})
      if (layout.starts_with(derived)) {
        size_t begin = layout.find("gl.", derived.size()), end = layout.rfind(')');
        if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos) return layout;
        llvm::StringRef parent = layout.slice(begin, end);
        return parentIn(parent.take_front(parent.rfind(')') + 1));
      }
    return layout;
  }

  // The same error of the same variable, or about the same layout or buffer, which the note
  // shows. A finding that is corrected at its own place has a cause of its own.
  size_t sameOf(size_t i) {
    const Diagnostic& told = at(i);
    llvm::StringRef variable = textOf(told.location);
    if (isCorrectedInPlace(told))
      return firstInKernel(i, [&](const Diagnostic& earlier) {
        return isName(variable) && !isConstant(variable) && textOf(earlier.location) == variable &&
               isSameError(earlier, told) && hasSameTitle(earlier, told);
      });
    if (!findings_[i].kernel.empty())
      if (size_t one = firstInKernel(
              i, [&](const Diagnostic& earlier) { return hasSameFix(earlier, told); });
          one != none)
        return one;
    return firstInKernel(i, [&](const Diagnostic& earlier) {
      if (!isSameError(earlier, told) || isCorrectedInPlace(earlier)) return false;
      if (isDottedName(variable) && textOf(earlier.location) == variable) return true;
      if (earlier.related.empty() || told.related.empty()) return false;
      const diagnostics::Location &a = earlier.related.front().location,
                                  &b = told.related.front().location;
      if (a.file == b.file && a.range == b.range) return true;
      llvm::StringRef shape = shapeIn(textOf(a)), other = shapeIn(textOf(b));
      return !shape.empty() && shape == other;
    });
  }

  static bool hasSameTitle(const Diagnostic& one, const Diagnostic& other) {
    return one.location.file == other.location.file && !one.fixes.empty() && !other.fixes.empty() &&
           one.fixes.front().title.text == other.fixes.front().title.text;
  }
  // A correction of the one is a correction of the other.
  static bool hasSameFix(const Diagnostic& one, const Diagnostic& other) {
    return one.location.file == other.location.file && !one.fixes.empty() && !other.fixes.empty() &&
           one.fixes.front().edits == other.fixes.front().edits;
  }

  // The names in the first list of a statement: `[BM, BN]` of an allocation. Two buffers of this
  // shape are wrong for one reason, the values of the names.
  static llvm::StringRef shapeIn(llvm::StringRef statement) {
    size_t begin = statement.find('[');
    size_t end = begin == llvm::StringRef::npos ? begin : statement.find(']', begin);
    if (end == llvm::StringRef::npos) return {};
    llvm::StringRef list = statement.slice(begin, end);
    return llvm::any_of(list, llvm::isAlpha) ? list : llvm::StringRef();
  }

  void attach(size_t i) {
    // The same variable is corrected in all its uses.
    Diagnostic& cause = findings_[causeOf_[i]].diagnostic;
    if (isSameError(at(i), cause) && isCorrectedInPlace(at(i)) && hasSameTitle(at(i), cause)) {
      std::vector<text::Edit>& edits = cause.fixes.front().edits;
      for (const text::Edit& edit : at(i).fixes.front().edits)
        if (!llvm::is_contained(edits, edit)) edits.push_back(edit);
      llvm::sort(edits, [](const text::Edit& a, const text::Edit& b) {
        return a.range.begin < b.range.begin;
      });
    }
    std::vector<diagnostics::Related>& related = findings_[causeOf_[i]].diagnostic.related;
    bool isFirstOfKernel = findings_[i].kernel != findings_[causeOf_[i]].kernel &&
                           shownKernels_.emplace(causeOf_[i], findings_[i].kernel).second;
    if (related.size() >= mostRelated && !isFirstOfKernel) return;
    constexpr std::string_view usedHere =
        diagnostics::noteTemplates[static_cast<size_t>(diagnostics::NoteId::UsedHere)];
    bool isSame = isSameError(at(i), at(causeOf_[i]));
    related.push_back({at(i).location, isSame ? std::string(usedHere) : at(i).message});
  }

  std::vector<Finding>& findings_;
  const Snapshot& snapshot_;
  std::vector<size_t> causeOf_;
  std::set<std::pair<size_t, llvm::StringRef>> shownKernels_; // kernels with a place of a cause
  std::map<uint32_t, std::shared_ptr<const File>> files_;
};

llvm::ArrayRef<Causes::Rule> Causes::rules() {
  static constexpr bool only = true;
  static constexpr Rule rows[] = {
      {Id::UndefinedName, &Causes::misspeltImportOf},
      {Id::ConditionallyDefined, &Causes::definitionOf, only},
      {Id::NotConstexpr, &Causes::sameValueOf, only},
      {Id::NotAnInteger, &Causes::wrongKindOf, only},
      {Id::InvalidDescriptor, &Causes::sameDescriptorOf, only},
      {Id::ShapeMismatch, &Causes::wrongBufferOf, only},
      {Id::LayoutThreads, &Causes::sameThreadsOf, only},
      {Id::LayoutWarps, &Causes::sameWarpsOf, only},
      {Id::InvalidLayout, &Causes::innerLayoutOf},
      {Id::LayoutRankMismatch, &Causes::innerRankOf},
      {Id::UnmatchedBracket, &Causes::wrongPairOf, only},
      {Id::CarriedKindMismatch, &Causes::wrongWaitOf},
      {Id::DuplicateArgument, &Causes::wrongOrderOf},
      {Id::InvalidArguments, &Causes::noCause, only},
      {Id::DuplicateParameter, &Causes::noCause, only},
      {Id::InvalidScopeDeclaration, &Causes::noCause, only},
      {Id::TooManyArguments, &Causes::wrongOrderOf},
      {Id::UnsupportedStatement, &Causes::invalidPythonOf},
      {Id::UnsupportedExpression, &Causes::invalidPythonOf},
      {Id::UnknownAttribute, &Causes::wrongOwnerOf},
      {Id::TargetTooOld, &Causes::sameFeatureOf, only},
  };
  return rows;
}

// A name that the file forgot to import is missing wherever it is used: only its first error is
// kept, or, without one, the exception that it raises. Its other uses are related places.
void keepOneOfEachImport(std::vector<Finding>& findings) {
  std::map<Insertion, size_t> kept;
  std::set<std::pair<size_t, llvm::StringRef>> shown; // kernels with a place of the error
  for (auto [i, each] : llvm::enumerate(findings))
    if (auto import = importInsertedFor(each.diagnostic)) {
      auto [known, isNew] = kept.try_emplace(*import, i);
      if (!isNew && !isError(findings[known->second].diagnostic) && isError(each.diagnostic))
        known->second = i;
    }
  std::vector<bool> isDropped(findings.size(), false);
  for (auto [i, each] : llvm::enumerate(findings)) {
    auto import = importInsertedFor(each.diagnostic);
    if (!import || kept[*import] == i) continue;
    isDropped[i] = true;
    const Finding& told = findings[kept[*import]];
    bool isFirstOfKernel =
        each.kernel != told.kernel && shown.emplace(kept[*import], each.kernel).second;
    std::vector<diagnostics::Related>& related = findings[kept[*import]].diagnostic.related;
    if (related.size() < mostRelated || isFirstOfKernel)
      related.push_back(
          {each.diagnostic.location, diagnostics::note(diagnostics::NoteId::UsedHere)});
  }
  size_t i = 0;
  llvm::erase_if(findings, [&](const Finding&) { return isDropped[i++]; });
}

} // namespace

void keepOneOfEachCause(std::vector<Finding>& findings, const Snapshot& snapshot) {
  keepOneOfEachImport(findings);
  constexpr size_t mostCompared = 1000; // each with those before it
  if (findings.size() <= mostCompared) Causes(findings, snapshot).keepOneEach();
}

} // namespace gluond::driver
