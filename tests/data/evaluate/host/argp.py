import argparse
def kind(s): return s.lower()
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("-n", "--size", type=int, default=16, choices=[16, 32], help="n")
p.add_argument("--name", default="a,b"); p.add_argument("--flag", action="store_true"); p.add_argument("--list", nargs="*", type=int, default=[1]); p.add_argument("--no-x", dest="x", action="store_false"); p.add_argument("--k", type=kind, default="A"); p.add_argument("--count", "-c", action="count", default=0); p.add_argument("--opt"); p.add_argument("pos", nargs="?", default="d"); p.add_argument("--b", action=argparse.BooleanOptionalAction, default=True)
g = p.add_mutually_exclusive_group(); g.add_argument("--u", action="append"); sub = p.add_subparsers(dest="cmd"); s1 = sub.add_parser("run"); s1.set_defaults(func=lambda a: 1); p.set_defaults(z=3)
a = p.parse_args([]); assert a.size * 2 == 32 and a.name.split(",")[0] == "a" and not a.flag and a.x and a.list[0] == 1 and a.z == 3 and vars(a)["size"] == 16 and a.count + 1 == 1
b, rest = p.parse_known_args(["--size", "32", "--opt", "a:b"]); assert b.size == 32 and b.opt.split(":")[1] == "b" and rest == []
