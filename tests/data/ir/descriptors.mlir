#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64, %arg3: tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg4: !tt.tensordesc<1x32xf16>) {
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] : <f16>, <64x32xf16, #shared>
    %1 = tt.descriptor_load %0[%arg1, %arg1] : !tt.tensordesc<64x32xf16, #shared> -> tensor<64x32xf16, #blocked>
    tt.descriptor_store %0[%arg1, %arg1], %1 : !tt.tensordesc<64x32xf16, #shared>, tensor<64x32xf16, #blocked>
    tt.descriptor_reduce add, %0[%arg1, %arg1], %1 : !tt.tensordesc<64x32xf16, #shared>, tensor<64x32xf16, #blocked>
    %2 = tt.descriptor_gather %arg4[%arg3, %arg1] : (!tt.tensordesc<1x32xf16>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32) -> tensor<32x32xf16, #blocked>
    tt.descriptor_scatter %arg4[%arg3, %arg1], %2 : !tt.tensordesc<1x32xf16>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, tensor<32x32xf16, #blocked>
    tt.return
  }
}
