import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff, defaultPolicy } from '../src/client/backoff.ts';

test('restarts come later and later', () => {
  const backoff = new Backoff();
  assert.deepEqual(
    [0, 1_000, 2_000, 3_000].map((now) => backoff.died(now)),
    defaultPolicy.delays.slice(0, 4),
  );
});

test('five deaths within three minutes are one too many', () => {
  const backoff = new Backoff();
  for (let i = 0; i < 4; i++) assert.notEqual(backoff.died(i * 40_000), undefined);
  assert.equal(backoff.died(160_001), undefined);
});

test('a death now and then is no reason to give up', () => {
  const backoff = new Backoff();
  for (let i = 0; i < 50; i++) assert.equal(backoff.died(i * 200_000), defaultPolicy.delays[0]);
});

test('a restart by hand begins anew', () => {
  const backoff = new Backoff();
  for (let i = 0; i < 4; i++) backoff.died(i);
  backoff.forget();
  assert.equal(backoff.died(5), defaultPolicy.delays[0]);
});
