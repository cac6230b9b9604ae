import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPictureAddress } from './fetch-picture.ts';

test('a picture is fetched by https from a named public host, or from where the catalog itself answers', () => {
  const rules = { apiOrigin: 'http://127.0.0.1:4001' };
  const allowed = ['https://i.scdn.co/image/ab67', 'http://127.0.0.1:4001/covers/1.png'];
  const refused = [
    'http://i.scdn.co/image/ab67',
    'https://127.0.0.1/x.png',
    'https://[::1]/x.png',
    'https://2130706433/x.png',
    'https://localhost/x.png',
    'https://printer.local/x.png',
    'https://metadata.google.internal/x.png',
    'https://i.scdn.co:8443/x.png',
    'https://user:pass@i.scdn.co/x.png',
    'http://127.0.0.1:4002/covers/1.png',
    'file:///etc/passwd',
    'data:image/png;base64,AA',
    'not an address',
  ];
  for (const address of allowed) assert.equal(isPictureAddress(address, rules), true, address);
  for (const address of refused) assert.equal(isPictureAddress(address, rules), false, address);
});
