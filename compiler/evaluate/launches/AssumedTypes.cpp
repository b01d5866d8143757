#include "evaluate/launches/AssumedTypes.h"

#include "chips/Vendor.h"
#include "evaluate/launches/Autotune.h"
#include "language/parameters/ParameterRoles.h"
#include "language/parameters/SpecializedDivisor.h"

namespace gluond::evaluate {

using language::ParameterRole;
using language::ParameterRoles;
using language::ScalarKind;

namespace {

const syntax::Stmt* definitionIn(const ModuleObject& module, Name name) {
  if (!module.globals) return nullptr;
  Value value = module.globals->get(name).unwrapped();
  if (auto* cls = value.as<ClassObject>()) return cls->def;
  const FunctionObject* function = kernelOf(value);
  return function ? function->def : nullptr;
}

// The roles in the files of several modules.
class RolesByModule {
public:
  explicit RolesByModule(const Interner& names) : names_(names) {}

  ParameterRole of(const FunctionObject& function, Name parameter) {
    const ModuleObject* module = function.module;
    if (!module) return ParameterRole::Unknown;
    auto [roles, isNew] = roles_.try_emplace(module);
    if (isNew)
      roles->second = std::make_unique<ParameterRoles>(
          names_, [module](Name name) { return definitionIn(*module, name); });
    return roles->second->of(*function.def, parameter);
  }

private:
  const Interner& names_;
  llvm::DenseMap<const ModuleObject*, std::unique_ptr<ParameterRoles>> roles_;
};

} // namespace

void assumePointer(LaunchArgument& argument, bool isConst, llvm::StringRef target,
                   language::TypeContext& types) {
  argument.isAssumed = argument.isDtypeAssumed = true;
  argument.type = types.pointer(language::scalarType(ScalarKind::Fp32), isConst);
  argument.divisibleBy = language::specializedDivisor;
  if (chips::isAmd(target)) argument.pointerRange = 32;
}

void assumeTypes(llvm::MutableArrayRef<Launch> launches, const Interner& names,
                 language::TypeContext& types) {
  RolesByModule roles(names);
  for (Launch& launch : launches)
    for (LaunchArgument& argument : launch.arguments) {
      if (!argument.isTypeAssumed) continue;
      ParameterRole role = roles.of(*launch.kernel, argument.name);
      if (role == ParameterRole::Pointer) {
        assumePointer(argument, /*isConst=*/false, launch.target, types);
        continue;
      }
      bool isUnknown = role == ParameterRole::Descriptor || role == ParameterRole::Object;
      argument.type = isUnknown ? nullptr : language::scalarType(ScalarKind::Int32);
      argument.divisibleBy.reset();
      argument.pointerRange.reset();
    }
}

} // namespace gluond::evaluate
