#include "driver/stages/Stages.h"

#include "chips/Target.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

const Toolchain& toolchainOf(const chips::Target& target) {
  return target.isCuda() ? nvidiaToolchain : amdToolchain;
}

std::vector<std::string> stageNames() {
  std::vector<std::string> names;
  for (const Toolchain* toolchain : {&nvidiaToolchain, &amdToolchain})
    for (const Stage& stage : toolchain->stages)
      if (!llvm::is_contained(names, stage.id)) names.push_back(stage.id.str());
  return names;
}

const Stage* Toolchain::find(llvm::StringRef id) const {
  const auto* found = llvm::find_if(stages, [&](const Stage& stage) { return stage.id == id; });
  return found == stages.end() ? nullptr : found;
}

std::string whyNoStage(const chips::Target& target, llvm::StringRef id) {
  std::string stages;
  for (const Stage& stage : stagesOf(target))
    stages += (stages.empty() ? "" : ", ") + stage.id.str();
  return "there is no stage '" + id.str() + "' for " + target.name() + "; its stages are " + stages;
}

llvm::ArrayRef<Stage> stagesOf(const chips::Target& target) {
  return toolchainOf(target).stages;
}

const Stage* findStage(const chips::Target& target, llvm::StringRef id) {
  return toolchainOf(target).find(id);
}

const Stage* shownBy(const chips::Target& target, const Stage& stage) {
  for (const Stage& each : stagesOf(target))
    if (each.input == stage.id && each.isText()) return &each;
  return nullptr;
}

} // namespace gluond::driver
