# Members of argparse's namespaces that do not come from an option that is written here.
import argparse
import types

from nowhere import add_options, setup, names

parser = argparse.ArgumentParser()
parser.add_argument("--block", type=int, default=128)
parser.set_defaults(warps=4)
args = parser.parse_args([])
assert args.block == 128 and args.warps == 4
args.device = "cuda"
assert args.device == "cuda"
assert not hasattr(args, "stages") and getattr(args, "stages", 2) == 2
args.__class__
args.__eq__

early = argparse.ArgumentParser()
early.set_defaults(mode="fast")
early.add_argument("--mode")
assert early.parse_args([]).mode == "fast"

handed = argparse.ArgumentParser()
add_options(handed)
handed.parse_args().unknown

by_child = argparse.ArgumentParser()
children = by_child.add_subparsers(dest="command")
children.add_parser("run").add_argument("--size")
by_child.parse_args([]).size
by_child.parse_args([]).command

with_parent = argparse.ArgumentParser(parents=[parser])
with_parent.parse_args([]).block

filled = argparse.ArgumentParser()
filled.parse_args([], namespace=args).block
for name in names:
    filled.add_argument(name)
filled.parse_args().anything

spread = argparse.ArgumentParser()
spread.add_argument(*names)
spread.parse_args().anything


class Remember(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        namespace.other = values


own = argparse.ArgumentParser()
own.add_argument("--a", action=Remember)
own.parse_args(["--a", "1"]).other

changed = parser.parse_args([])
vars(changed)["more"] = 3
changed.more
changed = parser.parse_args([])
setup(changed)
changed.more
changed = parser.parse_args([])
for name in names:
    setattr(changed, name, 1)
changed.more

space = types.SimpleNamespace(a=1)
setup(space)
space.more
space = types.SimpleNamespace(a=1)
space.b = 2
assert space.b == 2 and not hasattr(space, "c")


# Members stay known however often they are listed.
def listed(block, warps):
    return block + warps


print(vars(args))
del args.device
assert listed(**{name: value for name, value in vars(args).items() if name != "mode"}) == 132
