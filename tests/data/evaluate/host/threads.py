import threading
import torch.multiprocessing as mp

res = []


def work(i):
    res.append(i)


def ranked(rank, n):
    res.append(n)


threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
[t.start() for t in threads]
[t.join() for t in threads]
assert sorted(res) == [0, 1, 2]
mp.spawn(ranked, args=(7,), nprocs=1)
assert res[-1] == 7
