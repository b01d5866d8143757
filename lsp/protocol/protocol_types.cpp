// Prints the messages of gluond's own as TypeScript: build/bin/protocol_types >
// visualizer/src/protocol.ts
#include "lsp/protocol/TypeScript.h"

#include <cstdio>

int main() {
  std::string text = gluond::lsp::typeScript();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
