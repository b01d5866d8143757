import math, random, time, datetime, hashlib, statistics, uuid, textwrap, string, copy, pickle, bisect, heapq, fractions, decimal, threading, queue, inspect, traceback, types, weakref, gc, platform, secrets, base64, zlib, io, csv, configparser, pprint, sys, atexit, signal, importlib, importlib.util, concurrent.futures, multiprocessing
assert math.ceil(math.log2(9)) == 4 and math.gcd(12, 18) == 6 and math.isclose(0.1 + 0.2, 0.3) and math.prod([2, 3]) == 6 and math.inf > 0 and math.comb(5, 2) == 10 and math.isqrt(10) == 3 and math.lcm(4, 6) == 12
random.seed(1); r = random.Random(0); assert 0 <= r.random() < 1 and r.randint(1, 1) == 1 and r.choice([3]) == 3 and len(random.sample(range(10), 3)) == 3; random.shuffle([1, 2])
t = time.perf_counter(); time.sleep(0); assert time.time() > 0 and time.perf_counter_ns() > t and datetime.datetime(2020, 1, 2).strftime("%Y") == "2020" and datetime.timedelta(days=1).total_seconds() == 86400 and (datetime.date(2020, 1, 2) - datetime.date(2020, 1, 1)).days == 1
assert len(hashlib.sha256(b"a").hexdigest()) == 64 and hashlib.md5("x".encode()).hexdigest()[:2] and statistics.mean([1, 3]) == 2 and statistics.median([1, 2, 9]) == 2 and textwrap.dedent("  a\n  b") == "a\nb" and string.ascii_lowercase[0] == "a" and string.Template("$a").substitute(a=1) == "1"
assert copy.deepcopy({"a": [1]})["a"] == [1] and pickle.loads(pickle.dumps((1, 2))) == (1, 2) and bisect.bisect([1, 3], 2) == 1
h = [3, 1]; heapq.heapify(h); heapq.heappush(h, 0); assert heapq.heappop(h) == 0 and heapq.nlargest(1, h) == [3]
assert fractions.Fraction(1, 3) + fractions.Fraction(1, 6) == fractions.Fraction(1, 2) and decimal.Decimal("1.1") + 1 == decimal.Decimal("2.1")
lock = threading.Lock(); out = []
def work(n):
    with lock: out.append(n)
ts = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(3)]; [x.start() for x in ts]; [x.join() for x in ts]; assert sorted(out) == [0, 1, 2] and len(out) == 3
q = queue.Queue(); q.put(1); assert q.get() == 1 and q.empty()
with concurrent.futures.ThreadPoolExecutor(2) as ex:
    assert list(ex.map(lambda x: x * 2, [1, 2])) == [2, 4]; fut = ex.submit(pow, 2, 3); assert fut.result() == 8
    assert [f.result() for f in concurrent.futures.as_completed([fut])] == [8]
sig = inspect.signature(work); assert list(sig.parameters) == ["n"] and sig.parameters["n"].default is inspect.Parameter.empty and inspect.isfunction(work) and work.__code__.co_argcount == 1
ba = sig.bind(3); ba.apply_defaults(); assert ba.arguments["n"] == 3
ns = types.SimpleNamespace(a=1); ns.b = 2; assert ns.a + ns.b == 3 and vars(ns)["b"] == 2 and isinstance(work, types.FunctionType)
class O: pass
o = O(); w = weakref.ref(o); assert w() is o; gc.collect(); assert platform.system() and platform.python_version_tuple()[0] == "3" and sys.version_info >= (3, 8) and sys.version_info.major == 3 and sys.platform
assert base64.b64encode(b"a").decode() == "YQ==" and zlib.crc32(b"a") and list(csv.reader(io.StringIO("a,b\n1,2")))[1][0] == "1" and list(csv.DictReader(io.StringIO("a\n1")))[0]["a"] == "1"
cp = configparser.ConfigParser(); cp.read_string("[s]\na=1"); assert cp["s"].getint("a") == 1 and pprint.pformat({"a": 1}) == "{'a': 1}" and importlib.import_module("math").pi > 3 and importlib.util.find_spec("nope_zz") is None
try: raise ValueError("x") from KeyError("y")
except ValueError as e: assert isinstance(e.__cause__, KeyError) and e.args == ("x",) and traceback.format_exc() and e.__traceback__ is not None
assert uuid.uuid4().hex and secrets.token_hex(2) and sys.getsizeof([]) > 0 and sys.maxsize > 0 and sys.getrecursionlimit(); atexit.register(lambda: None); sys.setrecursionlimit(3000)
