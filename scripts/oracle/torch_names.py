#!/usr/bin/env python3
"""Prints compiler/evaluate/torch/TorchNames.def: the names that torch's modules and tensors have. Needs torch.

gluond knows the results of a part of them. Other names are unknown to it; only one that is a typing error for a name is missing.

    scripts/oracle/torch_names.py > compiler/evaluate/torch/TorchNames.def
"""
import torch

from names_rows import print_row

OWNERS = {"torch": dir(torch), "torch.Tensor": dir(torch.Tensor), "torch.cuda": dir(torch.cuda), "torch.nn.functional": dir(torch.nn.functional),
          "torch.testing": dir(torch.testing)}
# What torch does not list anywhere: keywords of empty(), full(), randint() and others that make tensors, and the strings that are devices.
OWNERS["parameters of factories"] = """base copy data device dtype end fill_value generator high input layout low mean memory_format names
    out pin_memory requires_grad size start std step steps stride""".split()
OWNERS["kinds of devices"] = """cpu cuda fpga hip hpu ideep ipu lazy maia meta mkldnn mps mtia opencl opengl privateuseone ve vulkan xla
    xpu""".split()


def main():
    print(f"// The names in torch {torch.__version__.split('+')[0]}. Made by scripts/oracle/torch_names.py.")
    for owner, names in OWNERS.items():
        print_row("TORCH_NAMES", owner, (name for name in names if not name.startswith("_")), width=100)


main()
