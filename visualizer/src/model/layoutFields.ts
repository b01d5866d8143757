// Generated from compiler/language/types/Layouts.def by the target layout_fields; do not edit.

// The parameters of each layout class, in the order of its constructor.
export const layoutFields = {
  BlockedLayout: ['size_per_thread', 'threads_per_warp', 'warps_per_cta', 'order', 'cga_layout'],
  SliceLayout: ['dim', 'parent'],
  DistributedLinearLayout: ['reg_bases', 'lane_bases', 'warp_bases', 'block_bases', 'shape'],
  DotOperandLayout: ['operand_index', 'parent', 'k_width'],
  NVMMADistributedLayout: ['version', 'warps_per_cta', 'instr_shape', 'cga_layout'],
  AMDMFMALayout: ['version', 'instr_shape', 'transposed', 'warps_per_cta', 'element_bitwidth', 'tiles_per_warp', 'cga_layout'],
  AMDWMMALayout: ['version', 'transposed', 'warp_bases', 'reg_bases', 'instr_shape', 'cga_layout', 'rank'],
  NVMMASharedLayout: ['swizzle_byte_width', 'element_bitwidth', 'rank', 'transposed', 'fp4_padded', 'cga_layout'],
  SwizzledSharedLayout: ['vec', 'per_phase', 'max_phase', 'order', 'cga_layout'],
  MBarrierLayout: ['vec', 'per_phase', 'max_phase', 'order', 'cga_layout'],
  PaddedSharedLayout: ['interval_padding_pairs', 'offset_bases', 'cga_layout', 'shape'],
  SharedLinearLayout: ['offset_bases', 'block_bases', 'alignment'],
  PartitionedSharedLayout: ['num_partitions', 'num_groups', 'partition_dim', 'partition_layout'],
  TensorMemoryLayout: ['block', 'col_stride', 'cga_layout', 'two_ctas', 'fp4_padded'],
  TensorMemoryScalesLayout: ['cga_layout'],
} as const;
