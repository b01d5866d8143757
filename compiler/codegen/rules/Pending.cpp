// Rules that are not written yet say so.
#include "codegen/rules/Memory.h"

namespace gluond::codegen {

namespace rules {

Value scaledUpcastFp4ScaleLayout(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "scaledUpcastFp4ScaleLayout"); }
Value fpsanEmbed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanEmbed"); }
Value fpsanUnembed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanUnembed"); }

} // namespace rules

} // namespace gluond::codegen
