#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#shared3 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: tensor<128x64xf32, #linear>, %arg1: tensor<128x64xf16, #linear>, %arg2: i1, %arg3: !ttg.memdesc<128x32xf32, #shared, #smem, mutable>, %arg4: !ttg.memdesc<128x128xf8E4M3FN, #shared1, #smem, mutable>, %arg5: !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem, mutable>, %arg6: !ttg.memdesc<1xi64, #shared3, #smem, mutable>, %arg7: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>) {
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %arg0, %result, %arg2 : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_0, %red = ttng.tmem_load %result {redOp = #ttng.redOp<max>} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    ttng.tmem_wait load
    ttng.tmem_wait store
    %0 = ttng.tmem_subslice %result {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    %result_1, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %1 = ttng.tc_gen5_mma_scaled %arg4, %arg5, %result_1[%token], %arg7, %arg7, %arg2, %arg2 lhs = e4m3 rhs = e4m3, %arg6[%arg2] {is_async} : !ttg.memdesc<128x128xf8E4M3FN, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared3, #smem, mutable>
    ttng.tc_gen5_commit %arg6, %arg2 descs %arg4, %arg5 : !ttg.memdesc<1xi64, #shared3, #smem, mutable>, !ttg.memdesc<128x128xf8E4M3FN, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem, mutable>
    %2 = ttng.packed_arith fma %arg0, %arg0, %arg0 : (tensor<128x64xf32, #linear>, tensor<128x64xf32, #linear>, tensor<128x64xf32, #linear>) -> tensor<128x64xf32, #linear>
    %3 = ttng.packed_arith add %arg1, %arg0 : (tensor<128x64xf16, #linear>, tensor<128x64xf32, #linear>) -> tensor<128x64xf32, #linear>
    tt.return
  }
}
