import asyncio
class AC:
    async def __aenter__(self): return self
    async def __aexit__(self, *a): return False
    def __aiter__(self): self.i = 0; return self
    async def __anext__(self):
        self.i += 1
        if self.i > 2: raise StopAsyncIteration
        return self.i
async def gen():
    for i in range(2): yield i
async def main():
    out = []
    async with AC() as ac:
        async for x in ac: out.append(x)
    async for y in gen(): out.append(y)
    r = await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2))
    out += [z async for z in gen()]
    return out, r
res, r = asyncio.run(main()); assert res == [1, 2, 0, 1, 0, 1] and r == [1, 2]
async def never(): raise RuntimeError("not awaited")
co = never(); co.close()
