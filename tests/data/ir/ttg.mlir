#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 32]}>
#shared2 = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}, alignment = 16>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%arg0: tensor<64x32xi32, #blocked>, %arg1: i32) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x32xi32, #shared, #smem, mutable>
    %1 = ttg.memdesc_subslice %0[32, 0] : !ttg.memdesc<64x32xi32, #shared, #smem, mutable> -> !ttg.memdesc<32x32xi32, #shared, #smem, mutable, 64x32>
    %2 = ttg.local_gather %0[%arg0] {axis = 0 : i32} : !ttg.memdesc<64x32xi32, #shared, #smem, mutable>, tensor<64x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    ttg.local_scatter %0[%arg0], %2 {axis = 1 : i32} : !ttg.memdesc<64x32xi32, #shared, #smem, mutable>, tensor<64x32xi32, #blocked>, tensor<64x32xi32, #blocked>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<64x32xi32, #shared1, #smem, mutable>
    %4 = ttg.local_alloc : () -> !ttg.memdesc<64x32xi32, #shared2, #smem, mutable>
    ttg.local_dealloc %0 : !ttg.memdesc<64x32xi32, #shared, #smem, mutable>
    %5 = ttg.warp_id
    %6 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    ttg.barrier local
    ttg.barrier local|global_read
    ttg.barrier all
    tt.return
  }
}
