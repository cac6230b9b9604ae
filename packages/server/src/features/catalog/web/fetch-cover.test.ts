import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fetchCover, isCoverAddress } from './fetch-cover.ts';

test("fetches an image by https from a named public host, or from the catalog's own origin", () => {
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
  for (const address of allowed) assert.equal(isCoverAddress(address, rules), true, address);
  for (const address of refused) assert.equal(isCoverAddress(address, rules), false, address);
});

/** Serves in place of the catalog, and records the requested paths. */
async function serve(t: TestContext, listener: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('accepts only replies with an image type of at most 5 MB', async (t) => {
  const { origin } = await serve(t, (request, response) => {
    const isLong = request.url === '/long.png';
    const mediaType = request.url === '/page' ? 'text/html' : 'image/png; x=y';
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-type': mediaType });
    response.end(isLong ? Buffer.alloc(5_000_001) : 'image');
  });
  const rules = { apiOrigin: origin };
  const cover = await fetchCover(`${origin}/a.png`, rules);
  assert.deepEqual([cover?.mediaType, cover && Buffer.from(cover.bytes).toString()], ['image/png', 'image']);
  for (const path of ['/missing', '/page', '/long.png'])
    assert.equal(await fetchCover(origin + path, rules), null, path);
});

test('does not follow a redirect', async (t) => {
  const inside = await serve(t, (_request, response) => void response.end('secret'));
  const { origin } = await serve(t, (_request, response) => {
    response.writeHead(302, { location: `${inside.origin}/x.png`, 'content-type': 'image/png' }).end();
  });
  assert.equal(await fetchCover(`${origin}/a.png`, { apiOrigin: origin }), null);
  assert.deepEqual(inside.asked, []);
});

test("resolves a public name of the service's own network but makes no request", async () => {
  const looked: string[] = [];
  const resolve = (name: string) => {
    looked.push(name);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
  const rules = { apiOrigin: 'http://127.0.0.1:4001' };
  assert.equal(await fetchCover('https://rebinding.example.org/x.png', rules, resolve), null);
  assert.deepEqual(looked, ['rebinding.example.org']);
});
