"""Writes rules.launches.jsonl: how the kernels here are launched. Types as in launch records; `x=3` is a constexpr."""
import json, os, re

KERNELS = {
    "arithmetic.py": {
        "scalars": "p:*i32 a:i8 b:i16 c:i32 d:i64 e:u32 f:fp32 h:fp16 k:bf16",
        "comparisons": "p:*i32 a:i32 b:i32 c:i32 d:fp32",
        "casts": "p:*fp32:16 q:*i32:16 r:*fp32:16",
        "selection": "p:*fp32:16 q:*fp32 n:i32",
        "functions": "p:*fp32:16",
        "methods": "p:*i32:16 n:i32",
        "payloads": "p:*fp32:16",
        "marks": "p:*i32:16 n:i32",
    },
    "shapes.py": {
        "indexing": "p:*fp32:16 n:i32:16",
        "reshapes": "p:*fp32",
        "more_shapes": "p:*fp32 q:*i32",
        "debugging": "p:*i32 n:i32",
    },
    "reductions.py": {
        "reductions": "p:*fp32:16 q:*i32:16",
        "scans": "p:*fp32:16 q:*i32:16",
        "elementwise": "p:*fp32:16",
        "assembly": "p:*fp32:16",
    },
    "memory.py": {
        "loads": "p:*fp32:16 q:*fp32:16 n:i32",
        "atomics": "p:*fp32:16 q:*i32:16 u:*u32:16 n:i32",
        "shared": "p:*fp32:16 q:*fp32 n:i32",
        "copies": "p:*fp32:16 n:i32",
    },
    "amd.py": {"buffers": "p:*fp32:16 q:*fp32:16 n:i32 u:*i32", "mfma": "p:*fp32", "stages": "p:*fp32", "libdevice": "p:*fp32:16 q:*i32"},
    "hopper.py": {"barriers": "p:*i32 n:i32", "descriptors": "p:*fp16:16 m:i32 n:i32", "products": "p:*fp32",
                  "specialized": "p:*i32 n:i32", "device_library": "p:*fp32 q:*i32", "windows": "desc:@im2col p:i32"},
    "blackwell.py": {"tensor_memory": "p:*fp32 n:i32", "products": "p:*fp32 n:i32", "scaled": "p:*fp32",
                     "gather": "p:*fp16:16 m:i32 n:i32", "launch_control": "p:*i32", "packed": "p:*fp32:16", "gather_alone": "p:*fp16:16 m:i32"},
    "cdna4.py": {"conversions": "p:*fp32", "scaled_products": "p:*fp32", "copies": "p:*fp32:16 n:i32", "narrowed": "p:*fp32",
                 "repacked": "p:*fp32"},
    "cdna5.py": {"copies": "p:*fp16:16 q:*i32 m:i32 n:i32", "clusters": "p:*i32 --num_ctas=2", "products": "p:*fp32",
                 "repacked": "p:*fp32", "fused": "p:*fp16:16 q:*i32 m:i32 n:i32", "plain_copies": "p:*fp32:16 n:i32"},
    "ampere.py": {"products": "p:*fp32"},
    "formats.py": {"bias_of_15": "p:*fp8e4b15:16 q:*fp32:16 out:*fp32:16", "sum_of_bias_15": "p:*fp8e4b15:16",
                   "mixed": "halves:*fp16:16 bfloats:*bf16:16 p:*fp32:16", "of_four_bits": "fours:*u8:16 eights:*fp8e4nv:16 p:*fp32:16"},
    "rdna.py": {"third": "p:*fp32", "fourth": "p:*fp32"},
    "libdevice.py": {"nvidia": "p:*fp32:16", "amd": "p:*fp32:16"},
    "amd_more.py": {"third": "u:*i32:16", "fourth": "p:*fp32:16 u:*i32:16", "upcast": "p:*fp32", "wide_upcast": "p:*fp32",
                    "partitioned": "p:*fp32"},
    "more.py": {
        "functions": "p:*i32:16", "conflicts": "p:*i32:16", "of_triton": "p:*i32", "full_of_triton": "p:*i32", "zeros_of_triton": "p:*i32",
        "zeros_like_of_triton": "p:*i32", "histogram_of_triton": "p:*i32", "least": "p:*i32", "random_numbers": "p:*i32:16", "random_parts": "p:*i32:16",
        "shared_memory": "p:*i32:16", "barriers": "p:*i32", "clusters": "p:*i32:16 --num_ctas=2", "reductions": "p:*i32:16 n:i32:16",
        "tensor_memory": "p:*fp32", "scale_copies": "p:*fp32", "packed_halves": "p:*fp32:16", "packed_fours": "p:*fp32:16",
        "rubin_barriers": "p:*fp32", "arrivals_of_several": "p:*fp32 n:i32 --num_ctas=4",
    },
    "library.py": {
        "elementwise": "p:*fp32:16", "softmaxes": "p:*fp32", "sums_so_far": "p:*fp32", "position_of_most": "p:*fp32:16 q:*i32",
        "position_of_least": "p:*fp32:16 q:*i32", "with_positions": "p:*fp32:16 q:*i32", "flipped": "p:*fp32:16",
        "sorted_rows": "p:*fp32:16", "largest": "p:*fp32:16", "merged": "p:*fp32:16", "interleaved": "p:*fp32:16",
        "dimensions": "p:*fp32:16", "viewed": "p:*fp32:16", "one_item": "p:*fp32", "concatenated": "p:*fp32:16",
        "block_pointer": "p:*fp32 n:i32", "advanced": "p:*fp32", "logarithm": "p:*i32 N=64", "by_multiplications": "p:*fp32",
        "polled": "p:*i32 q:*i32:16 n:i32",
        "product_alone": "p:*fp32", "product_of_others": "p:*fp32", "product_of_factors": "p:*fp32", "made_descriptor": "p:*fp32:16",
        "loaded_descriptor": "d:@im2col", "stored_descriptor": "d:@im2col", "scaled_product": "p:*fp32",
    },
    "extras.py": {"nvidia": "p:*i64 q:*i32:16", "amd": "p:*i64 q:*i32:16", "without_processor": "q:*i32"},
}
# Arguments that are no plain types, by their names in KERNELS.
DESCRIPTORS = {"@im2col": {"type": "tensordesc_im2col", "dtype": "fp16", "block": [32, 32], "input_rank": 4,
                           "layout": {"$layout": "NVMMASharedLayout", "swizzle_byte_width": 64, "element_bitwidth": 16, "rank": 2,
                                      "transposed": False, "fp4_padded": False, "cga_layout": []}}}
TARGETS = {"arithmetic.py": ["cuda:90", "cuda:100"], "amd.py": ["hip:gfx942"], "cdna4.py": ["hip:gfx950"],
           "cdna5.py": ["hip:gfx1250"], "blackwell.py": ["cuda:100"], "blackwell.py gather_alone": ["cuda:120"], "ampere.py": ["cuda:80"],
           "rdna.py third": ["hip:gfx1100"], "rdna.py fourth": ["hip:gfx1200"],
           "formats.py": ["cuda:107"], "formats.py bias_of_15": ["cuda:75", "cuda:80"], "formats.py sum_of_bias_15": ["cuda:80"],
           "libdevice.py amd": ["hip:gfx942"], "extras.py amd": ["hip:gfx942", "hip:gfx1100", "hip:gfx1250"],
           "extras.py without_processor": ["hip:gfx1030"], "amd_more.py": ["hip:gfx942"], "amd_more.py fourth": ["hip:gfx950"],
           "amd_more.py wide_upcast": ["hip:gfx1250"], "amd_more.py partitioned": ["hip:gfx1250"],
           **{f"more.py {kernel}": ["cuda:100"] for kernel in ("tensor_memory", "scale_copies", "packed_halves")},
           **{f"more.py {kernel}": ["cuda:107"] for kernel in ("packed_fours", "rubin_barriers", "arrivals_of_several")}}
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "rules.launches.jsonl"), "w") as out:
    for file, kernels in KERNELS.items():
        text = open(os.path.join(here, file)).read()
        for kernel, words in kernels.items():
            args, options = [], {"num_warps": 4}
            for word in words.split():
                if word.startswith("--"):
                    name, value = word[2:].split("=")
                    options[name] = int(value)
                elif "@" in word:
                    name, kind = word.split(":")
                    args.append({"name": name, **DESCRIPTORS[kind]})
                elif "=" in word:
                    name, value = word.split("=", 1)
                    args.append({"name": name, "type": "constexpr", "value": json.loads(value)})
                else:
                    name, type_, *divisible = word.split(":")
                    args.append({"name": name, "type": type_, **({"divisible_by": int(divisible[0])} if divisible else {})})
            line = text[:re.search(rf"^def {kernel}\(", text, re.M).start()].count("\n") + 1
            for target in TARGETS.get(f"{file} {kernel}", TARGETS.get(file, ["cuda:90"])):
                stem = f"{file[:-3]}.{kernel}.{target.replace(':', '')}"
                out.write(json.dumps({"id": stem, "file": file, "kernel": kernel, "line": line, "target": target,
                                      "options": options, "args": args}) + "\n")
