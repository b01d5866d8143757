#blocked = #ttg.blocked<{sizePerThread = [32, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: !tt.tensordesc<64x32xf16, #shared>, %arg1: !tt.tensordesc<1x32xf16, #shared>, %arg2: !tt.ptr<i8>, %arg3: i32, %arg4: i64, %arg5: i1, %arg6: tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg7: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg8: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>) {
    ttng.init_barrier %arg7, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %arg7 {noIncrement} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %arg7, %arg3, %arg5 deps %arg8 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ttng.async_tma_reduce add, %arg0[%arg3, %arg3] %arg8 : !tt.tensordesc<64x32xf16, #shared>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ttng.async_tma_gather %arg1[%arg6, %arg3] %arg8, %arg7, %arg5 : !tt.tensordesc<1x32xf16, #shared>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, i1
    ttng.async_tma_scatter %arg1[%arg6, %arg3] %arg8 : !tt.tensordesc<1x32xf16, #shared>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %0 = ttng.reinterpret_tensor_descriptor %arg2 : !tt.ptr<i8> to !tt.tensordesc<64x32xf16, #shared>
    ttng.tensormap_create %arg2, %arg2, [%arg3, %arg3], [%arg3, %arg3], [%arg4], [%arg3, %arg3] {elem_type = 3 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %arg2 : !tt.ptr<i8>
    tt.return
  }
}
