"""Unknown keys may be new, and unknown indices may be lists: neither makes a mistake certain."""
import collections
import sys

import torch
import unknown_zz

if "torchvision" in sys.modules or "triton" in sys.modules: raise RuntimeError("loaded")
groups, made, seen = {}, collections.defaultdict(list), set()
for n in range(3):
    groups.setdefault(unknown_zz.keys[n], []).append(n)
    made[unknown_zz.keys[n]].append(n)
    seen.add(unknown_zz.keys[n])
if not len(groups) > 1: raise ValueError("groups")
if not len(made) > 1: raise ValueError("made")
if not len(seen) > 1: raise ValueError("seen")
x = torch.empty(16, device="cuda")
if x[unknown_zz.which].ndim == 0: raise ValueError("one element")
if x[[[0, 1], [2, 3]]].ndim == 1: raise ValueError("a list of lists")
if x[[True] * 16].shape[0] == 16: raise ValueError("a mask")
y = x[[0, 1, 2]]
assert y.shape == (3, ) and x[3].ndim == 0
