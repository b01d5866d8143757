import assert from 'node:assert/strict';
import test from 'node:test';
import { levelsOf, moved, tickDistance, Timeline, zoomed } from '../src/model/timeline.ts';
import type { SimulateResult, TimelineSlice } from '../src/protocol.ts';

function slice(lane: number, from: number, to: number, part: Partial<TimelineSlice> = {}): TimelineSlice {
  return { lane, from, to, kind: 'work', name: 'op', what: '', bytes: 0, isOpen: false, ...part };
}
function timeline(slices: TimelineSlice[], part: Partial<SimulateResult> = {}): Timeline {
  return new Timeline({
    lanes: [
      { name: 'default partition', isEngine: false },
      { name: 'TMA', isEngine: true },
    ],
    steps: 100,
    slices,
    links: [],
    findings: [],
    ...part,
  } as unknown as SimulateResult);
}

test('bytes are in flight from the beginning of a copy to its end', () => {
  const copies = timeline([
    slice(1, 10, 30, { kind: 'operation', bytes: 512 }),
    slice(1, 20, 30, { kind: 'operation', bytes: 256 }),
    slice(0, 0, 90, { kind: 'work', bytes: 999 }),
  ]);
  assert.deepEqual(
    [0, 9, 10, 19, 20, 29, 30, 100].map((at) => copies.bytesAt(at)),
    [0, 0, 512, 512, 768, 768, 0, 0],
  );
  assert.equal(copies.mostInFlight, 768);
  assert.equal(timeline([]).mostInFlight, 0);
});

test('what is in sight is found among slices in any order', () => {
  const all = timeline([slice(0, 40, 50), slice(0, 0, 10), slice(0, 10, 40), slice(0, 60, 61)]);
  assert.deepEqual(
    all.visible(0, { from: 12, to: 45 }).map((each) => each.from),
    [10, 40],
  );
  assert.deepEqual(all.visible(1, { from: 0, to: 100 }), []);
  assert.equal(all.sliceAt(0, 10)?.from, 0); // the step that leads to moment 10 is its last one
  assert.equal(all.sliceAt(0, 11)?.from, 10);
  assert.equal(all.sliceAt(0, 55), null);
  assert.equal(all.sliceAt(0, 0)?.from, 0);
});

test('one goes from event to event, and stays at the ends', () => {
  const all = timeline([slice(0, 5, 9), slice(1, 7, 30)], { findings: [{ moment: 8 }] as never });
  assert.deepEqual(all.moments, [0, 5, 7, 8, 9, 30, 100]);
  assert.equal(all.neighbour(7, 1), 8);
  assert.equal(all.neighbour(6, -1), 5);
  assert.equal(all.neighbour(100, 1), 100);
  assert.equal(all.neighbour(0, -1), 0);
});

test('zooming keeps the moment under the hand, and the sight inside of the run', () => {
  assert.deepEqual(zoomed({ from: 0, to: 100 }, 2, 50, 100), { from: 25, to: 75 });
  assert.deepEqual(zoomed({ from: 0, to: 100 }, 2, 0, 100), { from: 0, to: 50 });
  assert.deepEqual(zoomed({ from: 40, to: 60 }, 0.01, 50, 100), { from: 0, to: 100 });
  const near = zoomed({ from: 40, to: 60 }, 1000, 50, 100);
  assert.equal(near.to - near.from, 8);
  assert.deepEqual(moved({ from: 10, to: 30 }, 500, 100), { from: 80, to: 100 });
  assert.deepEqual(moved({ from: 10, to: 30 }, -500, 100), { from: 0, to: 20 });
});

test('ticks have round distances', () => {
  assert.equal(tickDistance(100, 10), 10);
  assert.equal(tickDistance(101, 10), 20);
  assert.equal(tickDistance(7, 10), 1);
  assert.equal(tickDistance(12_345, 5), 5000);
});

test('values are between the least and the greatest', () => {
  assert.deepEqual([...levelsOf(['0', '5', '10', '', 'inf', '-inf'])], [0, 0.5, 1, 0, 1, 0]);
  assert.deepEqual([...levelsOf(['7', '7'])], [1, 1]);
  assert.deepEqual([...levelsOf(['True', 'False'])], [1, 0]);
  assert.ok(Number.isNaN(levelsOf(['nan', '1'])[0]));
});
