// Rules that are not written yet say so.
#include "codegen/rules/Memory.h"

namespace gluond::codegen {

namespace rules {

Value bufferLoad(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "bufferLoad"); }
Value bufferStore(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "bufferStore"); }
Value scaledUpcast(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "scaledUpcast"); }
Value scaledDowncast(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "scaledDowncast"); }
Value scaledUpcastFp4ScaleLayout(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "scaledUpcastFp4ScaleLayout"); }
Value mfmaScaled(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "mfmaScaled"); }
Value bufferLoadToShared(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "bufferLoadToShared"); }
Value schedBarrier(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "schedBarrier"); }
Value extractSlice(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "extractSlice"); }
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
Value asyncCopySharedToGlobal(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "asyncCopySharedToGlobal"); }
Value ldsAsyncArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "ldsAsyncArrive"); }
Value ldsBarrierInit(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "ldsBarrierInit"); }
Value ldsBarrierWait(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "ldsBarrierWait"); }
Value ldsBarrierArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "ldsBarrierArrive"); }
Value amdClusterArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "amdClusterArrive"); }
Value amdClusterWait(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "amdClusterWait"); }
Value warpSpecialize(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "warpSpecialize"); }
Value inlineAsmElementwise(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "inlineAsmElementwise"); }
Value inlineAsm(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "inlineAsm"); }
Value externElementwise(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "externElementwise"); }
Value bankConflicts(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "bankConflicts"); }
Value toLinearLayoutRule(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "toLinearLayoutRule"); }
Value fpsanEmbed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanEmbed"); }
Value fpsanUnembed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanUnembed"); }
Value bufferAtomicCdna3(Emitter& emit, const Arguments& args, AtomicKind) { return emit.unsupported(args.call, "bufferAtomicCdna3"); }
Value bufferAtomicCdna4(Emitter& emit, const Arguments& args, AtomicKind) { return emit.unsupported(args.call, "bufferAtomicCdna4"); }
Value loadSharedFp4Repacked(Emitter& emit, const Arguments& args, language::LayoutKind) { return emit.unsupported(args.call, "loadSharedFp4Repacked"); }
Value packedArithmetic(Emitter& emit, const Arguments& args, PackedKind) { return emit.unsupported(args.call, "packedArithmetic"); }
Value tdmPrefetch(Emitter& emit, const Arguments& args, bool) { return emit.unsupported(args.call, "tdmPrefetch"); }
Value libdevice(Emitter& emit, const Arguments& args, DeviceFunction) { return emit.unsupported(args.call, "libdevice"); }

} // namespace rules

} // namespace gluond::codegen
