#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 0, 1], [0, 1, 0]]}, instrShape = [16, 16, 32]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @f(%arg0: !tt.ptr<f32>, %arg1: tensor<1024xi32, #blocked>, %arg2: tensor<1024xi1, #blocked>, %arg3: tensor<1024xf32, #blocked>, %arg4: i32, %arg5: i1, %arg6: tensor<1024x!tt.ptr<f32>, #blocked>, %arg7: tensor<2x16x16xf32, #mma>) {
    %0 = amdg.buffer_load %arg0[%arg1], %arg2, %arg3 stride = %arg4 : !tt.ptr<f32> -> tensor<1024xf32, #blocked>
    amdg.buffer_store %0, %arg0[%arg1], %arg2 : !tt.ptr<f32> -> tensor<1024xf32, #blocked>
    %1 = amdg.buffer_atomic_rmw fadd, acq_rel, gpu, %0, %arg0[%arg1], %arg2 : !tt.ptr<f32> -> tensor<1024xf32, #blocked>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
    %3 = amdg.buffer_load_to_local %arg0[%arg1] mask = %arg2 into %2 : !tt.ptr<f32>[tensor<1024xi32, #blocked>]  -> <1024xf32, #shared, #smem, mutable>
    %4 = amdg.async_wait {num_inst = 1 : i32}
    rocdl.sched.barrier none
    rocdl.sched.barrier non_mem_non_sideeffect
    rocdl.s.setprio 1
    rocdl.s.barrier
    %5 = amdg.async_copy_local_to_global %2, %arg6 cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal> : !ttg.memdesc<1024xf32, #shared, #smem, mutable> -> tensor<1024x!tt.ptr<f32>, #blocked>
    amdg.cond_barrier %arg5
    tt.return
  }
}
