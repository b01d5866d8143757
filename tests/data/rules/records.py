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
                  "specialized": "p:*i32 n:i32", "device_library": "p:*fp32 q:*i32"},
    "blackwell.py": {"tensor_memory": "p:*fp32 n:i32", "products": "p:*fp32 n:i32", "scaled": "p:*fp32",
                     "gather": "p:*fp16:16 m:i32 n:i32", "launch_control": "p:*i32", "packed": "p:*fp32:16"},
    "cdna4.py": {"conversions": "p:*fp32", "scaled_products": "p:*fp32", "copies": "p:*fp32:16 n:i32"},
    "cdna5.py": {"copies": "p:*fp16:16 q:*i32 m:i32 n:i32", "clusters": "p:*i32 --num_ctas=2"},
}
TARGETS = {"arithmetic.py": ["cuda:90", "cuda:100"], "amd.py": ["hip:gfx942"], "cdna4.py": ["hip:gfx950"],
           "cdna5.py": ["hip:gfx1250"], "blackwell.py": ["cuda:100"]}
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
                elif "=" in word:
                    name, value = word.split("=", 1)
                    args.append({"name": name, "type": "constexpr", "value": json.loads(value)})
                else:
                    name, type_, *divisible = word.split(":")
                    args.append({"name": name, "type": type_, **({"divisible_by": int(divisible[0])} if divisible else {})})
            line = text[:re.search(rf"^def {kernel}\(", text, re.M).start()].count("\n") + 1
            for target in TARGETS.get(file, ["cuda:90"]):
                stem = f"{file[:-3]}.{kernel}.{target.replace(':', '')}"
                out.write(json.dumps({"id": stem, "file": file, "kernel": kernel, "line": line, "target": target,
                                      "options": options, "args": args}) + "\n")
