// What only blocks need that hardly any thread enters, such as the masks of a row's last elements,
// is computed there, once for each of them: elsewhere it would take registers all the way.
#pragma once

namespace llvm {
class Function;
}

namespace gluond::backend::nvidia {

void sinkIntoRareBlocks(llvm::Function& function);

} // namespace gluond::backend::nvidia
