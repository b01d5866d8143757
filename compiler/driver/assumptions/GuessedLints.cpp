#include "driver/assumptions/GuessedLints.h"

#include "codegen/context/CodegenContext.h"
#include "diagnostics/Traits.h"
#include "driver/assumptions/AssumedLaunch.h"
#include "driver/assumptions/WarpsOfLayouts.h"
#include "evaluate/launches/Launch.h"
#include "language/parameters/ParameterRoles.h"
#include "language/parameters/SpecializedDivisor.h"
#include "language/types/ComputedLayouts.h"
#include "language/types/LayoutClass.h"
#include "language/types/TypeContext.h"
#include "lints/Lints.h"
#include "support/Allowance.h"

#include <llvm/ADT/STLExtras.h>

#include <array>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Severity;
using diagnostics::Trait;
using language::DescriptorUse;
using language::ParameterRole;
using language::ParameterRoles;
using language::ScalarKind;
using language::Type;
using language::Value;

namespace {

struct LintGuess {
  ScalarKind element;
  std::array<int64_t, 2> sizes; // for the first, second compile-time integer, and so on
  int64_t count;
  bool flag;
};
// Findings must not depend on the size of the element type: the first three guesses differ in it.
constexpr LintGuess guesses[] = {
    {ScalarKind::Fp16, {64, 64}, 2, false},      {ScalarKind::Fp32, {64, 32}, 3, false},
    {ScalarKind::Fp8e4nv, {128, 128}, 2, false}, {ScalarKind::Fp16, {128, 128}, 3, true},
    {ScalarKind::Fp32, {128, 64}, 2, true},
};
constexpr size_t enough = 3; // guesses that compile
// Unknown values are assumed to be aligned: code that is slow or wrong then is so in any case.
constexpr unsigned usualAlignment = language::specializedDivisor;

// Arguments that do not matter beyond the values that guesses try.
bool holdsForGuesses(Id id) {
  return has(id, Trait::Cost) || has(id, Trait::Protocol) || has(id, Trait::ShownByGuesses);
}

// The layout that get_default_for() would give.
const language::LayoutObject* sharedLayout(codegen::CodegenContext& context,
                                           llvm::ArrayRef<int64_t> block, const Type* element) {
  language::Heap heap;
  unsigned swizzle = language::defaultSwizzle(block, element->bits(), false, false);
  Value fields[] = {Value::integer(swizzle),
                    Value::integer(element->bits()),
                    Value::integer(static_cast<int64_t>(block.size())),
                    Value::boolean(false),
                    Value::boolean(false),
                    Value::none()};
  auto made = language::makeLayout(language::LayoutKind::NVMMASharedLayout, fields, heap);
  auto* layout = made ? made->as<language::LayoutObject>() : nullptr;
  return layout ? context.types().layout(layout) : nullptr;
}

// Returns null if no descriptor has such a block.
const Type* descriptorType(codegen::CodegenContext& context, llvm::ArrayRef<int64_t> block,
                           const Type* element) {
  const language::LayoutObject* layout = sharedLayout(context, block, element);
  if (!layout) return nullptr;
  language::TypeContext& types = context.types();
  llvm::SmallVector<const Type*> shapes(block.size(), language::scalarType(ScalarKind::Int32)),
      strides(block.size(), language::scalarType(ScalarKind::Int64));
  return types.descriptor(language::DescriptorKind::Tiled, types.tensor(element, block, nullptr),
                          types.tuple(shapes), types.tuple(strides), layout);
}

// Finds "float16"; returns null if it is no scalar type.
const Type* elementNamed(llvm::StringRef name) {
  ScalarKind kind;
  return language::findScalar(name, kind) ? language::scalarType(kind) : nullptr;
}

class Guesser {
public:
  Guesser(const Variant& variant, codegen::CodegenContext& context,
          const codegen::Specialization& specialization, const EvaluatedFile& program,
          CancellationToken token)
      : variant_(variant), context_(context), specialization_(specialization), program_(program),
        token_(token), roles_(*program.part(variant.file().path())->tree) {}

  bool guessesAmounts() const { return guessesAmounts_; }
  // A guess took too many steps, so others would probably as well.
  bool gaveUp() const { return gaveUp_; }

  // The module for a guess; not ok() if it does not compile.
  codegen::GeneratedModule make(const LintGuess& guess) {
    codegen::Specialization guessed = specialization_;
    fill(guessed, guess);
    codegen::GeneratedModule made = generate(guessed, !knowsOptions(variant_));
    constexpr unsigned rounds = 2; // a copy may use what another copy filled
    for (unsigned round = 0; round < rounds && made.hasErrors() && refine(guessed, made); ++round)
      made = generate(guessed);
    if (made.hasErrors() && !std::exchange(hasSearched_, true)) search(guessed, made);
    made_ = std::move(guessed);
    return made;
  }
  const codegen::Specialization& made() const { return made_; }

private:
  // Tries blocks of the sizes that the text names, for two descriptors at a time: the operands of a
  // matrix product fit each other or not at all.
  void search(codegen::Specialization& guessed, codegen::GeneratedModule& made) {
    const syntax::FunctionDef& def = *specialization_.kernel->def;
    llvm::SmallVector<size_t, 4> descriptors;
    for (auto [i, argument] : llvm::enumerate(guessed.arguments))
      if (isGuessedDescriptor(i, argument) && argument.type->element()->shape().size() == 2)
        descriptors.push_back(i);
    constexpr size_t most = 4;
    if (descriptors.empty() || descriptors.size() > most) return;
    llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 9> blocks;
    llvm::SmallVector<int64_t, 3> sizes = roles_.sizesNamed(def);
    for (int64_t rows : sizes)
      for (int64_t columns : sizes)
        blocks.push_back({rows, columns});
    auto errors = [](const codegen::GeneratedModule& module) {
      return llvm::count_if(module.diagnostics, [](const Diagnostic& each) {
        return each.severity == Severity::Error;
      });
    };
    auto with = [&](const codegen::Specialization& base, size_t i, llvm::ArrayRef<int64_t> block,
                    const Type* element = nullptr) {
      codegen::Specialization changed = base;
      if (!element) element = base.arguments[i].type->element()->scalar();
      if (const Type* type = descriptorType(context_, block, element))
        changed.arguments[i].type = type;
      return changed;
    };
    auto attempt = [&](codegen::Specialization changed) {
      codegen::GeneratedModule other = generate(changed);
      if (errors(other) >= errors(made)) return;
      guessed = std::move(changed);
      made = std::move(other);
    };
    // Accumulators are wider than the elements they sum up.
    const Type* wide = language::scalarType(ScalarKind::Fp32);
    for (size_t first = 0; first < descriptors.size(); ++first)
      for (size_t second = first; second < descriptors.size(); ++second) {
        // `attempt` changes `guessed`.
        // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
        const codegen::Specialization base = guessed;
        for (const auto& one : blocks) {
          if (first == second) {
            if (made.hasErrors()) attempt(with(base, descriptors[first], one));
            if (made.hasErrors()) attempt(with(base, descriptors[first], one, wide));
            continue;
          }
          for (const auto& other : blocks)
            if (made.hasErrors() && !mustStop(token_))
              attempt(with(with(base, descriptors[first], one), descriptors[second], other));
        }
      }
    for (size_t i : descriptors) {
      auto block = guessed.arguments[i].type->element()->shape();
      blocks_[def.parameters[i].name.name].assign(block.begin(), block.end());
    }
  }

  bool isGuessedDescriptor(size_t i, const codegen::KernelArgument& argument) const {
    const Type* given = variant_.launch->arguments[i].type;
    return argument.type && argument.type->is(language::TypeKind::TensorDescriptor) &&
           !(given && given->is(language::TypeKind::TensorDescriptor));
  }

  // `choosesWarps`: the number of warps becomes the one that the layouts have.
  codegen::GeneratedModule generate(codegen::Specialization& guessed, bool choosesWarps = false) {
    if (gaveUp_) return {};
    codegen::SourceOptions options{
        .recordFacts = true, .cancellation = token_, .steps = stepsOfGuess};
    codegen::GeneratedModule made =
        choosesWarps ? generateWithWarpsOfLayouts(context_, guessed, program_, options)
                     : codegen::generateSource(context_, guessed, program_, options);
    gaveUp_ = ranOut(made.diagnostics);
    return made;
  }

  void fill(codegen::Specialization& guessed, const LintGuess& guess) {
    language::TypeContext& types = context_.types();
    const syntax::FunctionDef& def = *specialization_.kernel->def;
    size_t number = 0;
    for (auto [argument, given, parameter] :
         llvm::zip(guessed.arguments, variant_.launch->arguments, def.parameters)) {
      if (variant_.origin != Origin::Default && !given.isAssumed) continue;
      if (given.isTuple) continue;
      ParameterRole role = roles_.of(def, parameter.name.name);
      if (given.isConstexpr) {
        if (!given.constant.isUnknown()) continue;
        guessesAmounts_ |= role != ParameterRole::Flag;
        int64_t value =
            role == ParameterRole::Count ? guess.count : guess.sizes[number++ % guess.sizes.size()];
        argument = {};
        argument.type = types.constexprType(role == ParameterRole::Flag ? Value::boolean(guess.flag)
                                                                        : Value::integer(value));
        continue;
      }
      if (given.type && given.type->is(language::TypeKind::TensorDescriptor)) continue;
      const Type* element = language::scalarType(guess.element);
      if (role == ParameterRole::Descriptor) {
        guessesAmounts_ = true;
        argument = {};
        auto uses = roles_.usesOf(def, parameter.name.name);
        size_t rank = uses.empty() ? 2 : uses.front().rank;
        llvm::SmallVector<int64_t, 5> block(rank, 1);
        for (int64_t& size : llvm::MutableArrayRef(block).take_back(2))
          size = rank == 1 ? 128 : 64;
        if (auto known = blocks_.find(parameter.name.name); known != blocks_.end())
          block = known->second;
        argument.type = descriptorType(context_, block, element);
      } else if (role == ParameterRole::Pointer ||
                 (role == ParameterRole::Unknown && given.type && given.type->isPointer())) {
        argument.type = types.pointer(element);
        argument.divisibleBy = usualAlignment;
      } else if (parameterIsPlain(role, given)) {
        argument.type = language::scalarType(ScalarKind::Int32);
        argument.divisibleBy = usualAlignment;
      }
    }
  }
  // An annotated type is kept.
  static bool parameterIsPlain(ParameterRole role, const evaluate::LaunchArgument& given) {
    return !given.type || given.type == language::scalarType(ScalarKind::Int32) ||
           role != ParameterRole::Unknown;
  }

  // Gives guessed descriptors the block, element type and layout of the shared memory that they are
  // used with, according to the operands' facts. Returns false if nothing changed.
  bool refine(codegen::Specialization& guessed, const codegen::GeneratedModule& made) {
    bool changed = false;
    const syntax::FunctionDef& def = *specialization_.kernel->def;
    for (auto [i, argument] : llvm::enumerate(guessed.arguments)) {
      if (!isGuessedDescriptor(i, argument)) continue;
      Name name = def.parameters[i].name.name;
      for (const DescriptorUse& use : roles_.usesOf(def, name)) {
        const codegen::TypeFact* memory = factAt(made, *use.memory);
        const Type* element = memory ? elementNamed(memory->dtype) : nullptr;
        if (!element || memory->kind != codegen::FactKind::MemoryDescriptor) continue;
        llvm::ArrayRef<int64_t> block = memory->shape;
        if (block.size() < use.rank) continue;
        const Type* wanted = descriptorType(context_, block.take_back(use.rank), element);
        if (!wanted || wanted == argument.type) continue;
        argument.type = wanted;
        auto shape = wanted->element()->shape();
        blocks_[name].assign(shape.begin(), shape.end());
        changed = true;
        break;
      }
    }
    return changed;
  }

  const codegen::TypeFact* factAt(const codegen::GeneratedModule& made,
                                  const syntax::Expr& expr) const {
    if (!made.facts) return nullptr;
    for (const codegen::ExpressionFact& fact : made.facts->expressions)
      if (fact.location.file == program_.file().id() && fact.location.range == expr.range)
        return &made.facts->types[fact.type];
    return nullptr;
  }

  const Variant& variant_;
  codegen::CodegenContext& context_;
  const codegen::Specialization& specialization_;
  const EvaluatedFile& program_;
  CancellationToken token_;
  ParameterRoles roles_;
  codegen::Specialization made_;
  bool guessesAmounts_ = false, hasSearched_ = false, gaveUp_ = false;
  llvm::DenseMap<Name, llvm::SmallVector<int64_t, 5>> blocks_; // of descriptors, once found
};

bool isSame(const Diagnostic& a, const Diagnostic& b) {
  return a.id == b.id && a.location.file == b.location.file &&
         a.location.range.begin == b.location.range.begin;
}

} // namespace

std::vector<Diagnostic> commonLints(const Variant& variant, codegen::CodegenContext& context,
                                    const codegen::Specialization& specialization,
                                    const EvaluatedFile& program, LintModule lint,
                                    CancellationToken token) {
  Guesser guesser(variant, context, specialization, program, token);
  std::vector<std::vector<Diagnostic>> found;
  for (const LintGuess& guess : guesses) {
    if (mustStop(token) || found.size() == enough) break;
    codegen::GeneratedModule made = guesser.make(guess);
    if (guesser.gaveUp()) return {};
    if (!made.ok()) continue;
    auto said = lint(*made.module, guesser.made());
    if (!said) continue;
    found.push_back(std::move(*said));
    if (found.back().empty()) return {}; // nothing that all agree on
  }
  if (found.empty()) return {};
  std::vector<Diagnostic> common;
  for (Diagnostic& diagnostic : found.front()) {
    if (!holdsForGuesses(diagnostic.id) ||
        (has(diagnostic.id, Trait::OfAmounts) && guesser.guessesAmounts()))
      continue;
    bool isInSameWords = true;
    bool isCommon = llvm::all_of(llvm::drop_begin(found), [&](const auto& others) {
      auto same =
          llvm::find_if(others, [&](const Diagnostic& each) { return isSame(each, diagnostic); });
      isInSameWords &= same != others.end() && same->message == diagnostic.message;
      return same != others.end();
    });
    if (!isCommon) continue;
    if (!isInSameWords) diagnostic.fixes.clear(); // it may hold a number of the guess
    common.push_back(std::move(diagnostic));
  }
  return common;
}

} // namespace gluond::driver
