import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentSecurityPolicy, panelsPage } from '../src/panels/html.ts';

const parts = {
  script: 'https://host/panels.js',
  style: 'https://host/panels.css',
  cspSource: 'https://host',
  nonce: 'abc123',
};

test('nothing is allowed but the bundle, its style and its own pictures', () => {
  const policy = new Map(
    contentSecurityPolicy(parts)
      .split('; ')
      .map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)]),
  );
  assert.deepEqual(policy.get('default-src'), ["'none'"]);
  assert.deepEqual(policy.get('script-src'), ["'nonce-abc123'"]);
  assert.deepEqual(policy.get('img-src'), ['blob:', 'data:']);
  for (const kind of ['connect-src', 'frame-src', 'font-src', 'worker-src', 'object-src'])
    assert.ok(!policy.has(kind), `${kind} falls back to 'none'`);
  assert.ok(!contentSecurityPolicy(parts).includes('unsafe'));
});

test('the page has one script, with the nonce', () => {
  const page = panelsPage(parts);
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.match(page, /<script nonce="abc123" src="https:\/\/host\/panels\.js"><\/script>/);
  assert.match(page, /http-equiv="Content-Security-Policy"/);
});

test('what stands in attributes is escaped', () => {
  assert.ok(!panelsPage({ ...parts, script: '"><script>alert(1)</script>' }).includes('<script>alert'));
});
