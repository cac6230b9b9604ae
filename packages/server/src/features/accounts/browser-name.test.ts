import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from './browser-name.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const names: Readonly<Record<string, string>> = {
  [`${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`]: 'Chrome on Windows',
  [`${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`]:
    'Edge on Windows',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0': 'Firefox on Linux',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15':
    'Safari on macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1':
    'Safari on iOS',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36':
    'Chrome on Android',
  'Mozilla/5.0 (X11; Linux x86_64)': 'a browser on Linux',
  'curl/8.14.1': 'another browser',
  '<script>alert(1)</script>': 'another browser',
  '': 'another browser',
};

test('a browser gets a readable name that contains nothing it sent', () => {
  for (const [userAgent, name] of Object.entries(names)) assert.equal(browserName(userAgent), name);
});
