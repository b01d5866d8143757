#include "codegen/suggestions/Advice.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

namespace {

struct Row {
  llvm::StringLiteral names; // separated by spaces
  llvm::StringLiteral advice;
};

bool holds(const Row& row, llvm::StringRef name) {
  return llvm::any_of(llvm::split(row.names, ' '),
                      [&](llvm::StringRef each) { return each == name; });
}

llvm::StringRef adviceIn(llvm::ArrayRef<Row> rows, llvm::StringRef name) {
  const Row* row = llvm::find_if(rows, [&](const Row& each) { return holds(each, name); });
  return row == rows.end() ? llvm::StringRef() : llvm::StringRef(row->advice);
}

constexpr Row threads[] = {
    {"threadIdx thread_idx thread_id threadid tid lane_id laneid lane warp_id warpid thread_index",
     "a kernel works on whole tensors, whose elements gl.arange numbers"},
    {"blockIdx block_idx blockid", "use gl.program_id(0)"},
    {"blockDim block_dim blockdim", "pass the size of a block as a gl.constexpr parameter"},
    {"gridDim grid_dim griddim grid_size", "use gl.num_programs(0)"},
    {"warpSize warp_size WARP_SIZE num_threads", "threads_per_warp of the layout and "
                                                 "gl.num_warps() say how many threads there are"},
    {"__syncthreads syncthreads debug_barrier", "use gl.barrier()"},
    {"__syncwarp syncwarp sync_warp warp_sync warp_barrier",
     "use gl.barrier(), which waits for all warps"},
    {"__shfl_sync __shfl_xor_sync __shfl_down_sync __shfl_up_sync __shfl shfl shfl_sync "
     "shfl_xor_sync shfl_down_sync shuffle warp_shuffle __ballot_sync ballot warp_reduce "
     "block_reduce",
     "use gl.reduce, gl.associative_scan, gl.gather or gl.convert_layout, which move values "
     "between threads"},
    {"__threadfence threadfence memory_fence",
     "give an atomic operation the arguments sem and scope"},
    {"__ldg ldg", "use gl.load"},
    {"printf", "use gl.device_print"},
};

constexpr Row operations[] = {
    {"make_block_ptr", "use pointers and masks, or a tensor descriptor"},
    {"advance", "add to the pointers, or use a tensor descriptor"},
    {"make_tensor_descriptor",
     "use tma.make_tensor_descriptor, or pass a TensorDescriptor from the host"},
    {"load_tensor_descriptor", "use tma.async_load into shared memory"},
    {"store_tensor_descriptor", "use tma.async_store from shared memory"},
    {"swizzle2d", "compute the program's tile from gl.program_id"},
    {"gather_rows", "use the method gather of shared memory"},
    {"argmax argmin arg_max arg_min",
     "reduce values and positions together with gl.reduce and a combine function"},
    {"sort argsort topk", "exchange elements with gl.gather, or sort outside of the kernel"},
    {"mean average", "divide gl.sum by the number of elements"},
    {"var std norm", "compute it from gl.sum of the squares"},
    {"prod", "use gl.reduce with a combine function that multiplies"},
    {"any", "use gl.max of the conditions, converted to gl.int32"},
    {"all", "use gl.min of the conditions, converted to gl.int32"},
    {"logsumexp", "subtract gl.max, and take gl.log of gl.sum of gl.exp"},
    {"softmax", "subtract gl.max, apply gl.exp and divide by gl.sum"},
    {"sigmoid", "use 1 / (1 + gl.exp(-x))"},
    {"silu swish", "use x / (1 + gl.exp(-x))"},
    {"relu", "use gl.maximum(x, 0.0)"},
    {"gelu", "use gl.erf"},
    {"cat concat concatenate stack hstack vstack interleave",
     "use gl.join, which adds a dimension of two, and gl.reshape"},
    {"view flatten squeeze", "use gl.reshape"},
    {"transpose trans swapaxes", "use gl.permute"},
    {"flip roll", "compute the positions in reverse, or use gl.gather"},
    {"expand repeat tile", "use gl.expand_dims and gl.broadcast"},
    {"index_select take take_along_axis", "use gl.gather, or load from computed pointers"},
    {"mod", "use the operator %"},
    {"div divide truediv", "use the operator /"},
    {"square", "multiply the value by itself"},
    {"reciprocal", "divide 1.0 by the value"},
    {"sign", "compare with zero and choose with gl.where"},
    {"ones", "use gl.full with the value 1"},
    {"ones_like", "use gl.full_like with the value 1"},
    {"empty empty_like", "use gl.zeros"},
    {"linspace eye", "compute the values from gl.arange"},
    {"rand randn randint uniform", "pass random values from the host"},
    {"bitcast", "use the method to: x.to(dtype, bitcast=True)"},
    {"astype to", "use the method to: x.to(dtype)"},
    {"range", "use Python's range, or gl.static_range"},
    {"next_power_of_2",
     "use triton.next_power_of_2 on the host, and pass the result as a gl.constexpr parameter"},
    {"local_load", "use the method load of shared memory"},
    {"local_store", "use the method store of shared memory"},
    {"ldmatrix", "use the method load of shared memory with a gl.DotOperandLayout"},
};

constexpr llvm::StringLiteral valueInRegisters =
    "a tensor of a kernel is a value in registers, without strides, address or device";

constexpr Row tensorMembers[] = {
    {"size", "use shape"},
    {"dim ndim", "use len(x.shape)"},
    {"stride strides data_ptr device is_contiguous storage", valueInRegisters},
    {"contiguous clone copy detach cpu cuda numpy tolist",
     "a tensor of a kernel is a value, which is used without copies"},
    {"fill_ zero_ add_ sub_ mul_ div_ copy_",
     "a tensor of a kernel does not change; assign the result of an operation to the name"},
    {"masked_fill", "use gl.where(mask, value, x)"},
    {"pow", "multiply, or use gl.exp2(y * gl.log2(x))"},
};

constexpr llvm::StringLiteral products[] = {"dot", "matmul", "mm", "bmm", "mma", "wgmma"};

std::string productAdvice(bool scaled, const chips::Target& target) {
  std::string on = "on " + target.name() + " use ";
  if (target.isHip()) {
    if (target.has(chips::Feature::ScaledWmma))
      return on + (scaled ? "cdna5.wmma_scaled" : "cdna5.wmma");
    if (target.has(chips::Feature::Mfma))
      return on + (scaled ? "cdna4.mfma_scaled" : "mfma of gl.amd.cdna3 or cdna4");
    return on + "wmma of gl.amd.rdna3 or rdna4";
  }
  if (target.has(chips::Feature::TensorMemory))
    return on + (scaled ? "blackwell.tcgen05_mma_scaled"
                        : "blackwell.tcgen05_mma, with the accumulator in tensor memory");
  if (target.has(chips::Feature::WarpGroupMma))
    return on + "hopper.warpgroup_mma, with operands in shared memory";
  return on + "ampere.mma_v2, with operands in DotOperandLayout";
}

} // namespace

std::string adviceFor(llvm::StringRef name, const chips::Target& target) {
  if (name == "dot_scaled" || llvm::is_contained(products, name))
    return productAdvice(name == "dot_scaled", target);
  llvm::StringRef advice = adviceIn(operations, name);
  return (advice.empty() ? adviceIn(threads, name) : advice).str();
}

std::string adviceForTensorMember(llvm::StringRef name, const chips::Target& target) {
  llvm::StringRef advice = adviceIn(tensorMembers, name);
  if (!advice.empty()) return advice.str();
  return adviceFor(name, target);
}

bool isLibraryName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"math", "np",  "numpy", "torch",    "F",
                                                  "tl",   "jnp", "cp",    "libdevice"};
  return llvm::is_contained(names, name);
}

} // namespace gluond::codegen
