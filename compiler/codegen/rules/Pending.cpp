// Rules that are not written yet say so.
#include "codegen/rules/Memory.h"

namespace gluond::codegen {

mlir::Attribute nvidiaCachePolicy(Emitter&, const LayoutObject*) { return {}; }

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
Value asyncCopyMbarrierArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "asyncCopyMbarrierArrive"); }
Value mbarrierInit(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "mbarrierInit"); }
Value mbarrierInvalidate(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "mbarrierInvalidate"); }
Value mbarrierWait(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "mbarrierWait"); }
Value ampereMbarrierArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "ampereMbarrierArrive"); }
Value tmemRegLayout(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmemRegLayout"); }
Value tmemLoad(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmemLoad"); }
Value tmemStore(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmemStore"); }
Value tmemSlice(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmemSlice"); }
Value tmemIndex(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmemIndex"); }
Value tmemReinterpret(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmemReinterpret"); }
Value allocateTensorMemory(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "allocateTensorMemory"); }
Value tcgen05Copy(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tcgen05Copy"); }
Value tcgen05Mma(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tcgen05Mma"); }
Value tcgen05MmaScaled(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tcgen05MmaScaled"); }
Value tcgen05BarrierCount(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tcgen05BarrierCount"); }
Value tcgen05Commit(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tcgen05Commit"); }
Value tmaGather(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmaGather"); }
Value tmaScatter(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmaScatter"); }
Value clcTryCancel(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "clcTryCancel"); }
Value clcLoadResult(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "clcLoadResult"); }
Value clcIsCanceled(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "clcIsCanceled"); }
Value clcProgramId(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "clcProgramId"); }
Value rubinMbarrierArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "rubinMbarrierArrive"); }
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
Value barrier(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "barrier"); }
Value warpSpecialize(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "warpSpecialize"); }
Value inlineAsmElementwise(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "inlineAsmElementwise"); }
Value inlineAsm(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "inlineAsm"); }
Value externElementwise(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "externElementwise"); }
Value bankConflicts(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "bankConflicts"); }
Value toLinearLayoutRule(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "toLinearLayoutRule"); }
Value fpsanEmbed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanEmbed"); }
Value fpsanUnembed(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fpsanUnembed"); }
Value fenceAsyncShared(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "fenceAsyncShared"); }
Value asyncSharedStore(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "asyncSharedStore"); }
Value warpgroupMmaInit(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "warpgroupMmaInit"); }
Value warpgroupMma(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "warpgroupMma"); }
Value warpgroupMmaWait(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "warpgroupMmaWait"); }
Value clusterBarrier(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "clusterBarrier"); }
Value mbarrierExpect(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "mbarrierExpect"); }
Value hopperMbarrierArrive(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "hopperMbarrierArrive"); }
Value tmaLoad(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmaLoad"); }
Value tmaLoadIm2Col(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmaLoadIm2Col"); }
Value tmaStore(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmaStore"); }
Value tmaStoreWait(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "tmaStoreWait"); }
Value makeTmaDescriptor(Emitter& emit, const Arguments& args) { return emit.unsupported(args.call, "makeTmaDescriptor"); }
Value bufferAtomicCdna3(Emitter& emit, const Arguments& args, AtomicKind) { return emit.unsupported(args.call, "bufferAtomicCdna3"); }
Value bufferAtomicCdna4(Emitter& emit, const Arguments& args, AtomicKind) { return emit.unsupported(args.call, "bufferAtomicCdna4"); }
Value loadSharedFp4Repacked(Emitter& emit, const Arguments& args, language::LayoutKind) { return emit.unsupported(args.call, "loadSharedFp4Repacked"); }
Value tmemLoadReduce(Emitter& emit, const Arguments& args, bool) { return emit.unsupported(args.call, "tmemLoadReduce"); }
Value packedArithmetic(Emitter& emit, const Arguments& args, PackedKind) { return emit.unsupported(args.call, "packedArithmetic"); }
Value tdmPrefetch(Emitter& emit, const Arguments& args, bool) { return emit.unsupported(args.call, "tdmPrefetch"); }
Value tmaReduce(Emitter& emit, const Arguments& args, ReduceKind) { return emit.unsupported(args.call, "tmaReduce"); }
Value libdevice(Emitter& emit, const Arguments& args, DeviceFunction) { return emit.unsupported(args.call, "libdevice"); }

} // namespace rules

} // namespace gluond::codegen
