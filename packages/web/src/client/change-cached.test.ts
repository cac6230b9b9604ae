import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import { changeCached } from './change-cached.ts';

function openCache(t: { after(end: () => void): void }): QueryClient {
  const client = new QueryClient();
  t.after(() => client.clear());
  client.setQueryData(['tracks', 'a'], { plays: 1 });
  client.setQueryData(['tracks', 'b'], { plays: 5 });
  client.setQueryData(['track', 'a'], { plays: 1 });
  return client;
}

test('changes the data of all queries below a key', (t) => {
  const client = openCache(t);
  changeCached<{ plays: number }>(client, ['tracks'], ({ plays }) => ({ plays: plays + 1 }));
  assert.deepEqual(client.getQueryData(['tracks', 'a']), { plays: 2 });
  assert.deepEqual(client.getQueryData(['tracks', 'b']), { plays: 6 });
  assert.deepEqual(client.getQueryData(['track', 'a']), { plays: 1 });
});

test('a query that is marked for a refetch keeps its mark', async (t) => {
  const client = openCache(t);
  await client.invalidateQueries({ queryKey: ['tracks', 'a'] });
  changeCached<{ plays: number }>(client, ['tracks'], ({ plays }) => ({ plays: plays + 1 }));
  assert.equal(client.getQueryState(['tracks', 'a'])?.isInvalidated, true);
  assert.equal(client.getQueryState(['tracks', 'b'])?.isInvalidated, false);
});

test('a query whose data stays the same is not touched', (t) => {
  const client = openCache(t);
  const changes: string[] = [];
  t.after(client.getQueryCache().subscribe(({ type }) => void changes.push(type)));
  changeCached<{ plays: number }>(client, ['tracks'], (data) => (data.plays > 1 ? { plays: 0 } : data));
  assert.deepEqual(changes, ['updated']);
});
