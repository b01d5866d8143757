#include "codegen/context/CodegenContext.h"

#include "ir/Context.h"
#include "language/types/Builtin.h"

#include <mlir/IR/Builders.h>
#include <mlir/IR/SymbolTable.h>

namespace gluond::codegen {

CodegenContext::CodegenContext(Interner& names)
    : mlir_(ir::createContext()), names_(names), wellKnown_(names), types_(names),
      prelude_(names, types_), verifier_(*mlir_) {}

CodegenContext::~CodegenContext() = default;

mlir::DictionaryAttr CodegenContext::moduleAttributes(const Target& target,
                                                      const Options& options) {
  ModuleKey key{target.name(), options.numWarps, options.numCtas,
                target.isCuda() ? options.maxnreg.value_or(0) : 0};
  if (module_ && module_->first == key) return module_->second;
  mlir::Builder builder(mlir_.get());
  auto number = [&](unsigned value) {
    return builder.getI32IntegerAttr(static_cast<int32_t>(value));
  };
  llvm::SmallVector<mlir::NamedAttribute, 5> attributes = {
      builder.getNamedAttr("ttg.target", builder.getStringAttr(key.target)),
      builder.getNamedAttr("ttg.num-warps", number(options.numWarps)),
      builder.getNamedAttr("ttg.num-ctas", number(options.numCtas)),
      builder.getNamedAttr("ttg.threads-per-warp", number(target.warpSize))};
  if (key.maxnreg) attributes.push_back(builder.getNamedAttr("ttg.maxnreg", number(key.maxnreg)));
  module_ = {std::move(key), builder.getDictionaryAttr(attributes)};
  return module_->second;
}

llvm::ArrayRef<mlir::NamedAttribute> CodegenContext::functionAttributes(bool noinline,
                                                                        bool isPublic) {
  auto& known = functions_[noinline * 2 + isPublic];
  if (known.empty()) {
    mlir::Builder builder(mlir_.get());
    known = {builder.getNamedAttr("noinline", builder.getBoolAttr(noinline)),
             builder.getNamedAttr(mlir::SymbolTable::getVisibilityAttrName(),
                                  builder.getStringAttr(isPublic ? "public" : "private"))};
  }
  return known;
}

mlir::DictionaryAttr CodegenContext::argumentAttributes(std::optional<int64_t> divisibleBy,
                                                        std::optional<int64_t> pointerRange) {
  unsigned which = (divisibleBy ? 1 : 0) + (pointerRange ? 2 : 0);
  mlir::DictionaryAttr& known =
      arguments_[{divisibleBy.value_or(0), pointerRange.value_or(0), which}];
  if (known) return known;
  mlir::Builder builder(mlir_.get());
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes;
  auto add = [&](llvm::StringRef name, std::optional<int64_t> value) {
    if (value)
      attributes.push_back(
          builder.getNamedAttr(name, builder.getI32IntegerAttr(static_cast<int32_t>(*value))));
  };
  add("tt.divisibility", divisibleBy);
  add("tt.pointer_range", pointerRange);
  return known = builder.getDictionaryAttr(attributes);
}

language::Value CodegenContext::moduleMember(const language::ModuleObject& module,
                                             Name name) const {
  auto it = members_.find({&module, name});
  return it != members_.end() && it->second.module == module.name ? it->second.value
                                                                  : language::Value::absent();
}

void CodegenContext::noteMember(const language::ModuleObject& module, Name name,
                                language::Value value) {
  bool isRow = value.is(language::ValueKind::Builtin) ||
               (value.is(language::ValueKind::Type) && value.asType()->isScalar());
  const language::BuiltinModule* known =
      isRow && !module.globals ? language::findModule(module.name) : nullptr;
  if (!known) return;
  if (members_.size() >= mostMembers) members_.clear();
  members_[{&module, name}] = {known->name, value};
}

std::shared_ptr<ProgramMemory> CodegenContext::memoryOf(const SourceFiles& files) {
  std::shared_ptr<const void> program = files.program();
  if (!program) return std::make_shared<ProgramMemory>();
  llvm::erase_if(programs_, [](const auto& known) { return known.first.expired(); });
  for (const auto& [known, memory] : programs_)
    if (!known.owner_before(program) && !program.owner_before(known)) return memory;
  if (programs_.size() >= mostPrograms) programs_.erase(programs_.begin());
  return programs_.emplace_back(program, std::make_shared<ProgramMemory>()).second;
}

} // namespace gluond::codegen
