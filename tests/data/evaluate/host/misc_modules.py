import re, json, argparse, logging, warnings, subprocess, platform, time, datetime, random, hashlib, textwrap, traceback, types, weakref, threading, sys, inspect, importlib, shutil, tempfile, glob, io, csv, pickle, base64, uuid, socket, signal, gc, queue, heapq, bisect, array, ctypes, urllib.request, collections, concurrent.futures, multiprocessing, unittest, decimal, fractions, secrets, zlib, pprint, difflib, atexit, locale, getpass, errno, stat, fnmatch, configparser, sqlite3, gzip, zipfile, xml.etree.ElementTree as ET, html, select, asyncio, ast, dis, tokenize, keyword, string, site, sysconfig, pkgutil, cProfile, numbers
R = re.compile(r"(?P<a>\d+)", re.I | re.M | re.VERBOSE); m = R.match("12"); assert m and m.group("a") == "12" and m[0] == "12" and R.sub("x", "1") == "x" and re.findall(r"\w", "ab") == ["a", "b"] and re.split(",", "a,b") == ["a", "b"] and re.fullmatch("a", "a") and re.escape("."), R
for mm in R.finditer("1 2"): mm.start() + mm.end()
assert json.loads('{"a": [1, null]}')["a"][0] == 1 and json.dumps({"a": 1}, indent=2, sort_keys=True, default=str)
log = logging.getLogger(__name__); log.setLevel(logging.INFO); log.info("x %s", 1); log.addHandler(logging.StreamHandler()); logging.basicConfig(level=logging.WARNING, format="%(message)s")
warnings.filterwarnings("ignore", category=DeprecationWarning); warnings.warn("x", stacklevel=2)
with warnings.catch_warnings(): warnings.simplefilter("ignore")
IS_LINUX = platform.system() == "Linux"; py = sys.version_info >= (3, 9); v = sys.version_info.major; assert sys.version_info[:2] >= (3, 8) and sys.maxsize > 0 and sys.byteorder in ("little", "big") and sys.executable is not None and sys.modules[__name__] and sys.float_info.max and sys.getsizeof(1) and sys.stdout.write("") is not None
now = datetime.datetime.now(); d = now - datetime.timedelta(days=1); assert d < now and now.strftime("%Y").isdigit() and datetime.date(2020, 1, 1).year == 2020
random.seed(0); r = random.randint(0, 5); rng = random.Random(3); assert 0 <= r <= 5 and rng.random() < 1 and random.choice([1]) == 1
h = hashlib.sha256(b"x").hexdigest()[:8]; assert len(h) == 8
text = textwrap.dedent("""
  a
  b
""").strip(); assert text == "a\nb"
try:
    1 / 0
except ZeroDivisionError: tb = traceback.format_exc()
ns = types.SimpleNamespace(a=1, b=2); ns.c = 3; assert ns.a + ns.c == 4 and vars(ns)["b"] == 2
mp = types.MappingProxyType({"a": 1}); assert mp["a"] == 1
mod = types.ModuleType("m"); mod.x = 1; assert mod.x == 1
lock = threading.Lock(); rl = threading.RLock(); tls = threading.local(); tls.x = 1; ev = threading.Event()
with lock: pass
class W: pass
w = W(); ref = weakref.ref(w); wd = weakref.WeakKeyDictionary(); wd[w] = 1; ws = weakref.WeakSet(); ws.add(w); wv = weakref.WeakValueDictionary(); fin = weakref.finalize(w, print)
sig = inspect.signature(lambda a, b=1: 0); assert list(sig.parameters) == ["a", "b"] and inspect.isfunction(print) is False and inspect.getsource and inspect.currentframe()
heap = [3, 1]; heapq.heapify(heap); heapq.heappush(heap, 0); assert heapq.heappop(heap) == 0 and bisect.bisect_left([1, 3], 2) == 1
D = decimal.Decimal("0.1") + decimal.Decimal(1); F = fractions.Fraction(1, 3) * 3; assert F == 1 and D > 1 and float(D) > 1 and int(F) == 1 and round(D, 1) and F.numerator == 1
arr = array.array("f", [1.0]); arr[0] = 2.0; buf = io.StringIO(); buf.write("x"); assert buf.getvalue() == "x"
class CStruct(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_float * 4)]
cs = CStruct(); cs.x = 5; Arr = ctypes.c_int * 3; a3 = Arr(1, 2, 3); assert cs.x == 5 and a3[0] == 1 and ctypes.sizeof(CStruct) == 20
spec = importlib.util.find_spec("json") if hasattr(importlib, "util") else None
has = importlib.import_module("json").dumps; loader = __import__("os").path.join("a", "b")
src = ast.parse("1 + 1"); assert isinstance(src, ast.Module)
class V(ast.NodeVisitor):
    def visit_Name(self, n): self.generic_visit(n)
V().visit(src)
class T(unittest.TestCase):
    def test(self): self.assertEqual(1, 1)
p = subprocess.run(["true"], capture_output=True, text=True); assert p.returncode == 0 and p.stdout == ""
proc_flags = subprocess.PIPE | 0
cfg = configparser.ConfigParser(); cfg["a"] = {"b": "1"}; assert cfg["a"]["b"] == "1"
q = queue.Queue(); q.put(1); assert q.get() == 1
class Th(threading.Thread):
    def __init__(self): super().__init__(daemon=True); self.r = None
    def run(self): self.r = 1
th = Th(); th.start(); th.join(); assert th.r == 1
with concurrent.futures.ThreadPoolExecutor(2) as ex: assert list(ex.map(lambda x: x + 1, [1])) == [2]
async def co(x): await asyncio.sleep(0); return x + 1
assert asyncio.run(co(1)) == 2
class Num(numbers.Number): pass
class H(logging.Handler):
    def emit(self, record): pass
class Enc(json.JSONEncoder):
    def default(self, o): return super().default(o)
json.dumps({"a": 1}, cls=Enc)
assert pickle.loads(pickle.dumps([1])) == [1] and base64.b64encode(b"a") == b"YQ==" and zlib.crc32(b"a") & 0xffffffff
