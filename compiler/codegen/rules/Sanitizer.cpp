// gl.fpsan: the floating-point sanitizer's operations have no IR here.
#include "codegen/Emitter.h"

namespace gluond::codegen::rules {

Value fpsanEmbed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "the floating-point sanitizer"); }
Value fpsanUnembed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "the floating-point sanitizer"); }

} // namespace gluond::codegen::rules
