#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @memory(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: i64, %arg3: tensor<512xf32, #blocked>, %arg4: tensor<512xi32, #blocked>, %arg5: tensor<512xi1, #blocked>, %arg6: tensor<512x!tt.ptr<i32>, #blocked>) {
    %0 = tt.atomic_cas acq_rel, gpu, %arg6, %arg4, %arg4 : (tensor<512x!tt.ptr<i32>, #blocked>, tensor<512xi32, #blocked>, tensor<512xi32, #blocked>) -> tensor<512xi32, #blocked>
    %1 = tt.atomic_rmw add, relaxed, cta, %arg6, %arg4, %arg5 : (tensor<512x!tt.ptr<i32>, #blocked>, tensor<512xi32, #blocked>, tensor<512xi1, #blocked>) -> tensor<512xi32, #blocked>
    %2 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %3 = tt.int_to_ptr %2 : i64 -> !tt.ptr<f32>
    %4 = tt.bitcast %arg6 : tensor<512x!tt.ptr<i32>, #blocked> -> tensor<512x!tt.ptr<f32>, #blocked>
    tt.grid_dependency_wait
    tt.grid_dependency_launch_dependents
    tt.print " x: " {hex = false, isSigned = array<i32: 0, 1>} : %arg3, %arg4 : tensor<512xf32, #blocked>, tensor<512xi32, #blocked>
    tt.assert %arg5, "positive" : tensor<512xi1, #blocked>
    tt.return
  }
  tt.func public @math(%arg0: tensor<512xf32, #blocked>, %arg1: tensor<512xf16, #blocked>, %arg2: tensor<512xi32, #blocked>) {
    %0 = tt.clampf %arg0, %arg0, %arg0, propagateNan = none : tensor<512xf32, #blocked>
    %1 = tt.precise_sqrt %arg0 : tensor<512xf32, #blocked>
    %2 = tt.precise_divf %arg0, %arg0 : tensor<512xf32, #blocked>
    %3 = tt.approx_divf %arg0, %arg0 : tensor<512xf32, #blocked>
    %4 = tt.mulhiui %arg2, %arg2 : tensor<512xi32, #blocked>
    %5 = tt.fp_to_fp %arg0, rounding = rtne : tensor<512xf32, #blocked> -> tensor<512xf8E5M2, #blocked>
    %6 = tt.fp_to_fp %arg1 : tensor<512xf16, #blocked> -> tensor<512xf32, #blocked>
    %7 = tt.extern_elementwise %arg0 {libname = "libdevice", libpath = "/x", pure = true, symbol = "__nv_sinf"} : (tensor<512xf32, #blocked>) -> tensor<512xf32, #blocked>
    %8 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %arg2 : tensor<512xi32, #blocked> -> tensor<512xi32, #blocked>
    %9:2 = "tt.map_elementwise"(%arg0, %arg2) <{pack = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: i32):
      tt.map_elementwise.return %arg3, %arg4 : f32, i32
    }) : (tensor<512xf32, #blocked>, tensor<512xi32, #blocked>) -> (tensor<512xf32, #blocked>, tensor<512xi32, #blocked>)
    tt.return
  }
  tt.func public @shape(%arg0: tensor<512xf32, #blocked>, %arg1: tensor<512xi32, #blocked>, %arg2: tensor<64x32xf32, #blocked1>, %arg3: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>, %arg4: tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>, %arg5: tensor<64x64xf32, #blocked1>) {
    %0 = tt.join %arg0, %arg0 : tensor<512xf32, #blocked> -> tensor<512x2xf32, #blocked2>
    %outLHS, %outRHS = tt.split %0 : tensor<512x2xf32, #blocked2> -> tensor<512xf32, #blocked>
    %1 = tt.cat %arg0, %arg0 : tensor<512xf32, #blocked> -> tensor<1024xf32, #blocked>
    %2 = tt.histogram %arg1 : tensor<512xi32, #blocked> -> tensor<512xi32, #blocked>
    %3 = tt.gather %arg0[%arg1] {axis = 0 : i32} : (tensor<512xf32, #blocked>, tensor<512xi32, #blocked>) -> tensor<512xf32, #blocked>
    %4 = tt.dot %arg3, %arg4, %arg5, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %5 = "tt.reduce"(%arg2) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %7 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %7 : f32
    }) : (tensor<64x32xf32, #blocked1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %7 = arith.mulf %arg6, %arg7 : f32
      tt.scan.return %7 : f32
    }) : (tensor<512xf32, #blocked>) -> tensor<512xf32, #blocked>
    tt.return
  }
}
