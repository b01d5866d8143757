#include "codegen/suggestions/OtherNames.h"

#include "language/types/TypeText.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

namespace {

bool holds(llvm::StringRef names, llvm::StringRef name) {
  return llvm::is_contained(llvm::split(names, ' '), name);
}

struct Synonym {
  llvm::StringLiteral name, gluon;
};

// The first of the names for it that the place has; "" if it has none.
llvm::StringRef firstOf(llvm::ArrayRef<Synonym> rows, llvm::StringRef name,
                        llvm::function_ref<bool(llvm::StringRef)> has) {
  for (const Synonym& row : rows)
    if (row.name == name && has(row.gluon)) return row.gluon;
  return {};
}

constexpr OtherName rows[] = {
    // the threads of CUDA and HIP
    {"threadIdx thread_idx thread_id threadid tid lane_id laneid lane warp_id warpid thread_index",
     "", "a kernel works on whole tensors, whose elements gl.arange numbers"},
    {"blockIdx block_idx blockid", "", "use gl.program_id(0)"},
    {"block_id pid", "program_id", ""},
    {"blockDim block_dim blockdim", "", "pass the size of a block as a gl.constexpr parameter"},
    {"gridDim grid_dim griddim grid_size", "", "use gl.num_programs(0)"},
    {"num_blocks", "num_programs", ""},
    {"warpSize warp_size WARP_SIZE num_threads", "",
     "threads_per_warp of the layout and gl.num_warps() say how many threads there are"},
    {"__syncthreads syncthreads sync_threads syncThreads debug_barrier __barrier sync synchronize",
     "barrier", "use gl.barrier()"},
    {"__syncwarp syncwarp sync_warp warp_sync warp_barrier", "",
     "use gl.barrier(), which waits for all warps"},
    {"__shfl_sync __shfl_xor_sync __shfl_down_sync __shfl_up_sync __shfl shfl shfl_sync "
     "shfl_xor_sync shfl_down_sync shuffle warp_shuffle __ballot_sync ballot warp_reduce "
     "block_reduce",
     "",
     "use gl.reduce, gl.associative_scan, gl.gather or gl.convert_layout, which move values "
     "between threads"},
    {"__threadfence threadfence memory_fence", "",
     "give an atomic operation the arguments sem and scope"},
    {"__ldg ldg", "load", "use gl.load"},
    {"printf", "device_print", "use gl.device_print"},
    {"print debug_print", "device_print", ""},
    {"assert_ device_assert_", "device_assert", ""},
    // number types, as C and NumPy write them
    {"single f32", "float32", ""},
    {"f16 half", "float16", ""},
    {"f64 double", "float64", ""},
    {"bf16 bfloat", "bfloat16", ""},
    {"char", "int8", ""},
    {"short", "int16", ""},
    {"long", "int64", ""},
    {"boolean", "int1", ""},
    {"uint", "uint32", ""},
    {"byte", "uint8", ""},
    {"float8e4 fp8e4 fp8e4m3 float8e4m3 e4m3 float8_e4m3 fp8_e4m3 float8_e4m3fn fp8e4m3fn",
     "float8e4nv", ""},
    {"fp8e5m2 float8e5m2 e5m2 float8_e5m2 fp8_e5m2", "float8e5", ""},
    {"tf32 tfloat32", "", "tensors have the dtype gl.float32; products of them may use TF32"},
    {"const constant const_expr", "constexpr", ""},
    // memory
    {"alloc_shared shared_alloc alloc_smem smem_alloc allocate_smem allocate_shared shared_memory "
     "make_shared local_alloc smem shared alloc allocate alloc_shared_memory",
     "allocate_shared_memory", ""},
    {"local_load load_shared", "", "use the method load of shared memory"},
    {"local_store store_shared", "", "use the method store of shared memory"},
    {"ldmatrix", "", "use the method load of shared memory with a gl.DotOperandLayout"},
    {"make_block_ptr", "", "use pointers and masks, or a tensor descriptor"},
    {"advance", "", "add to the pointers, or use a tensor descriptor"},
    {"make_tensor_descriptor", "",
     "use tma.make_tensor_descriptor, or pass a TensorDescriptor from the host"},
    {"load_tensor_descriptor", "", "use tma.async_load into shared memory"},
    {"store_tensor_descriptor", "", "use tma.async_store from shared memory"},
    {"gather_rows", "", "use the method gather of shared memory"},
    {"atomicAdd", "atomic_add", ""},
    {"atomic_inc atomicInc", "", "use gl.atomic_add with the value 1"},
    {"atomic_sub atomicSub", "", "use gl.atomic_add with the negative value"},
    {"atomic_compare_exchange atomic_compare_and_swap compare_exchange", "atomic_cas", ""},
    {"atomicExch atomic_exch atomic_exchange", "atomic_xchg", ""},
    // operations on elements
    {"fmax fmaxf max_", "maximum", ""},
    {"fmin fminf min_", "minimum", ""},
    {"fabs fabsf", "abs", ""},
    {"expf fast_exp fast_expf __expf", "exp", ""},
    {"exp2f fast_exp2", "exp2", ""},
    {"logf", "log", ""},
    {"log2f", "log2", ""},
    {"sqrtf", "sqrt", ""},
    {"rsqrtf inv_sqrt inverse_sqrt", "rsqrt", ""},
    {"ceil_div ceildiv div_up", "cdiv", ""},
    {"clip", "clamp", ""},
    {"select if_else", "where", ""},
    {"sigmoid", "", "use 1 / (1 + gl.exp(-x))"},
    {"silu swish", "", "use x / (1 + gl.exp(-x))"},
    {"relu", "", "use gl.maximum(x, 0.0)"},
    {"gelu", "", "use gl.erf"},
    {"mod", "", "use the operator %"},
    {"div divide truediv", "", "use the operator /"},
    {"floordiv floor_divide", "", "use the operator //"},
    {"lerp", "", "use a + t * (b - a)"},
    {"square", "", "multiply the value by itself"},
    {"reciprocal", "", "divide 1.0 by the value"},
    {"sign", "", "compare with zero and choose with gl.where"},
    {"bitcast", "", "use the method to: x.to(dtype, bitcast=True)"},
    {"astype to", "", "use the method to: x.to(dtype)"},
    {"next_power_of_2 next_pow2 next_power_of_two", "",
     "use triton.next_power_of_2 with a constexpr"},
    {"range", "", "use Python's range, or gl.static_range"},
    // reductions, scans, sorting
    {"amax reduce_max", "max", ""},
    {"amin reduce_min", "min", ""},
    {"reduce_sum", "sum", ""},
    {"reduction", "reduce", ""},
    {"scan", "associative_scan", ""},
    {"prefix_sum inclusive_scan inclusive_sum", "cumsum", ""},
    {"argmax argmin arg_max arg_min", "",
     "reduce values and positions together with gl.reduce and a combine function"},
    {"sort argsort topk", "", "exchange elements with gl.gather, or sort outside of the kernel"},
    {"mean average", "", "divide gl.sum by the number of elements"},
    {"var std norm", "", "compute it from gl.sum of the squares"},
    {"prod", "", "use gl.reduce with a combine function that multiplies"},
    {"any", "", "use gl.max of the conditions, converted to gl.int32"},
    {"all", "", "use gl.min of the conditions, converted to gl.int32"},
    {"logsumexp", "", "subtract gl.max, and take gl.log of gl.sum of gl.exp"},
    {"softmax", "", "subtract gl.max, apply gl.exp and divide by gl.sum"},
    // shapes
    {"iota", "arange", ""},
    {"unsqueeze expand_dim", "expand_dims", ""},
    {"swizzle2d", "", "compute the program's tile from gl.program_id"},
    {"cat concat concatenate stack hstack vstack interleave", "",
     "use gl.join, which adds a dimension of two, and gl.reshape"},
    {"view flatten squeeze", "", "use gl.reshape"},
    {"transpose trans swapaxes", "", "use gl.permute"},
    {"flip roll", "", "compute the positions in reverse, or use gl.gather"},
    {"expand repeat tile", "", "use gl.expand_dims and gl.broadcast"},
    {"index_select take take_along_axis", "", "use gl.gather, or load from computed pointers"},
    {"shape", "", "use the attribute shape of the tensor"},
    // new tensors
    {"ones", "", "use gl.full with the value 1"},
    {"ones_like", "", "use gl.full_like with the value 1"},
    {"empty empty_like", "", "use gl.zeros"},
    {"linspace eye", "", "compute the values from gl.arange"},
    {"rand randn randint rand4x randn4x randint4x philox", "",
     "triton.language has it, as in tl.rand(seed, offsets)"},
    {"uniform", "", "use tl.rand(seed, offsets) of triton.language"},
    // layouts, as Triton's IR and earlier texts call them
    {"convert to_layout set_layout change_layout", "convert_layout", ""},
    {"BlockedEncoding BlockLayout Blocked", "BlockedLayout", ""},
    {"SliceEncoding Slice SlicedLayout", "SliceLayout", ""},
    {"MmaLayout MMALayout NvidiaMmaLayout NVMMALayout", "NVMMADistributedLayout", ""},
    {"SharedLayout SwizzledLayout SwizzleLayout", "SwizzledSharedLayout", ""},
    {"PaddedLayout", "PaddedSharedLayout", ""},
    {"NVMMASharedEncoding", "NVMMASharedLayout", ""},
    {"DotLayout DotOperand", "DotOperandLayout", ""},
    {"LinearLayout Linear", "DistributedLinearLayout", ""},
};

constexpr llvm::StringLiteral valueInRegisters =
    "a tensor of a kernel is a value in registers, without strides, address or device";

struct Advice {
  llvm::StringLiteral names, advice;
};
constexpr Advice tensorMembers[] = {
    {"size", "use shape"},
    {"dim ndim", "use len(x.shape)"},
    {"stride strides data_ptr device is_contiguous storage", valueInRegisters},
    {"contiguous clone copy detach cpu cuda numpy tolist",
     "a tensor of a kernel is a value, which is used without copies"},
    {"fill_ zero_ add_ sub_ mul_ div_ copy_",
     "a tensor of a kernel does not change; assign the result of an operation to the name"},
    {"type", "use the method to: x.to(dtype)"},
    {"layout", "use type.layout"},
    {"length", "use numel, or shape[0]"},
    {"t", "use permute((1, 0))"},
    {"masked_fill", "use gl.where(mask, value, x)"},
    {"pow", "multiply, or use gl.exp2(y * gl.log2(x))"},
};
constexpr Advice pointerMembers[] = {
    {"size nelement length", "pass the number of elements as an argument of the kernel"},
    {"stride strides", "pass the strides as arguments of the kernel"},
    {"dim ndim", "pass the sizes of the dimensions as arguments of the kernel"},
    {"load", "use gl.load(p + offsets)"},
    {"data_ptr ptr", "the name is the pointer itself"},
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

llvm::ArrayRef<OtherName> otherNames() {
  return rows;
}

static const OtherName* rowOf(llvm::StringRef name) {
  const OtherName* row =
      llvm::find_if(rows, [&](const OtherName& each) { return holds(each.names, name); });
  return row == std::end(rows) ? nullptr : row;
}

llvm::StringRef gluonNameFor(llvm::StringRef name) {
  if (auto kind = language::scalarSpelled(name))
    if (llvm::StringRef gluon = language::scalarInfo(*kind).attribute; gluon != name) return gluon;
  const OtherName* row = rowOf(name);
  return row ? llvm::StringRef(row->gluon) : llvm::StringRef();
}

std::string adviceFor(llvm::StringRef name, const chips::Target& target) {
  if (name == "dot_scaled" || llvm::is_contained(products, name))
    return productAdvice(name == "dot_scaled", target);
  const OtherName* row = rowOf(name);
  return row ? row->advice.str() : std::string();
}

std::string adviceForTensorMember(llvm::StringRef name, const chips::Target& target) {
  for (const Advice& row : tensorMembers)
    if (holds(row.names, name)) return row.advice.str();
  return adviceFor(name, target);
}

llvm::StringRef adviceForPointerMember(llvm::StringRef name) {
  for (const Advice& row : pointerMembers)
    if (holds(row.names, name)) return row.advice;
  return {};
}

bool isLibraryName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"math", "np",  "numpy", "torch",    "F",
                                                  "tl",   "jnp", "cp",    "libdevice"};
  return llvm::is_contained(names, name);
}

llvm::StringRef siblingFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has) {
  static constexpr Synonym rows[] = {
      {"mfma", "wmma"},
      {"wmma", "mfma"},
      {"mfma_scaled", "wmma_scaled"},
      {"wmma_scaled", "mfma_scaled"},
      {"dot", "mfma"},
      {"dot", "wmma"},
      {"mma", "mfma"},
      {"mma", "wmma"},
      {"async_load", "global_load_to_shared"},
      {"async_load", "global_to_shared"},
      {"async_copy_global_to_shared", "global_load_to_shared"},
      {"global_load_to_shared", "async_load"},
      {"global_load_to_shared", "global_to_shared"},
      {"global_to_shared", "global_load_to_shared"},
      {"wait", "async_wait"},
      {"wait", "wait_group"},
      {"wait_all", "wait_group"},
      {"async_wait", "wait_group"},
      {"wait_group", "async_wait"},
      {"commit", "commit_group"},
      {"tma", "tdm"},
      {"tdm", "tma"},
      // barriers, as PTX, CUDA and CUTLASS call what they do
      {"signal", "arrive"},
      {"initialize", "init"},
      {"try_wait", "wait"},
      {"test_wait", "wait"},
      {"wait_parity", "wait"},
      {"wait_phase", "wait"},
      {"sync", "wait"},
      {"expect_tx", "expect"},
      {"arrive_expect_tx", "expect"},
      {"arrive_and_expect_tx", "expect"},
      {"expect_bytes", "expect"},
      {"inval", "invalidate"},
      {"destroy", "invalidate"},
      {"alloc", "allocate_mbarrier"},
      {"allocate", "allocate_mbarrier"},
      // copies
      {"load", "async_load"},
      {"store", "async_store"},
      {"gather", "async_gather"},
      {"scatter", "async_scatter"},
      {"load_async", "async_load"},
      {"store_async", "async_store"},
      {"wait", "store_wait"},
      {"wait_all", "store_wait"},
      {"wait_group", "store_wait"},
      {"async_wait", "store_wait"},
      {"store_wait_group", "store_wait"},
      // buffers
      {"read", "load"},
      {"get", "load"},
      {"write", "store"},
      {"set", "store"},
      {"put", "store"},
      {"subview", "index"},
      {"view", "reshape"},
      {"transpose", "permute"},
      // the host's functions
      {"nextpow2", "next_power_of_2"},
      {"ceil_div", "cdiv"},
      {"ceildiv", "cdiv"},
      {"div_up", "cdiv"},
  };
  return firstOf(rows, name, has);
}

llvm::StringRef keywordFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has) {
  static constexpr Synonym rows[] = {
      // torch and numpy
      {"dim", "axis"},
      {"keepdim", "keep_dims"},
      {"keepdims", "keep_dims"},
      {"fill_value", "value"},
      {"size", "shape"},
      {"dims", "order"},
      {"default", "other"},
      {"fill", "value"},
      {"fill", "other"},
      {"fill_value", "other"},
  // Triton's IR and its compiler
#define LAYOUT_FIELD(name, gluon) {#name, gluon},
#include "layout/named/FieldNames.def"
      {"op_idx", "operand_index"},
      {"element_type", "element_ty"},
      {"dtype", "element_ty"},
      // words for the same
      {"accumulator", "acc"},
      {"c", "acc"},
      {"accumulate", "use_acc"},
      {"async_", "is_async"},
      {"asynchronous", "is_async"},
      {"use_accumulator", "use_acc"},
      {"predicate", "pred"},
      {"mask", "pred"},
      {"pred", "mask"},
      {"cond", "mask"},
      {"cond", "pred"},
      {"condition", "mask"},
      {"condition", "pred"},
      {"barrier", "mbarrier"},
      {"mbarrier", "barrier"},
      {"bar", "barrier"},
      {"bytes", "size_bytes"},
      {"nbytes", "size_bytes"},
      {"parity", "phase"},
      {"ptr", "pointer"},
      {"pointer", "ptr"},
      {"cache", "cache_modifier"},
      {"coords", "coord"},
      {"offsets", "coord"},
  };
  return firstOf(rows, name, has);
}

} // namespace gluond::codegen
