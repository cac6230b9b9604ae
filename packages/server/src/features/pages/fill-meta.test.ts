import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fillMeta } from './fill-meta.ts';

test('pages contain the CSRF token and the link of the demo album', () => {
  const source = readFileSync(new URL('../../../../web/index.html', import.meta.url), 'utf8');
  const filled = fillMeta(source, { 'csrf-token': 'a.b', 'demo-album-url': 'local:album:1' });
  assert.match(filled, /<meta name="csrf-token" content="a\.b">/);
  assert.match(filled, /<meta name="demo-album-url" content="local:album:1">/);
});

test('a value is escaped within its attribute', () => {
  const filled = fillMeta('<meta name="x" content="">', { x: '"><script>$&' });
  assert.equal(filled, '<meta name="x" content="&quot;&gt;&lt;script&gt;$&amp;">');
});

test('a page without the element throws an error', () => {
  assert.throws(() => fillMeta('<head></head>', { 'csrf-token': 'a' }), /no <meta name="csrf-token"/);
});
