// Rules that are not written yet say so.
#include "codegen/rules/Memory.h"

namespace gluond::codegen {

namespace rules {

Value scaledUpcastFp4ScaleLayout(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "scaledUpcastFp4ScaleLayout"); }
Value mfmaScaled(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "mfmaScaled"); }
Value schedBarrier(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "schedBarrier"); }
Value warpPipelineStage(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "warpPipelineStage"); }
Value wmmaScaled(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "wmmaScaled"); }
Value makeTdmDescriptor(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "makeTdmDescriptor"); }
Value updateTdmDescriptor(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "updateTdmDescriptor"); }
Value tdmLoad(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tdmLoad"); }
Value tdmLoadFused(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tdmLoadFused"); }
Value tdmStore(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tdmStore"); }
Value tdmWait(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tdmWait"); }
Value tdmScatter(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tdmScatter"); }
Value tdmGather(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tdmGather"); }
Value fpsanEmbed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanEmbed"); }
Value fpsanUnembed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanUnembed"); }
Value packedArithmetic(Emitter& emit, const Arguments& args, PackedKind) { return emit.unsupported(args.call, "packedArithmetic"); }
Value tdmPrefetch(Emitter& emit, const Arguments& args, bool) { return emit.unsupported(args.call, "tdmPrefetch"); }

} // namespace rules

} // namespace gluond::codegen
