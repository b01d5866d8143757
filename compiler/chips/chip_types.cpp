// Prints the targets that menus offer as TypeScript: build/bin/chip_types >
// visualizer/src/model/targets.ts
#include "chips/TypeScript.h"

#include <cstdio>

int main() {
  std::string text = gluond::chips::typeScript();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
