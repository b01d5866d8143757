import sys
n = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
args = sys.argv[1:]
assert n == 4096
for a in args: print(a)
prog = sys.argv[0]; sys.argv.append("x"); sys.argv = ["p", "--n", "5"]
sys.path.insert(0, "."); sys.path.append(".."); p = sys.path[0]
assert sys.argv[1] == "--n"
