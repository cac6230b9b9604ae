import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { changeCached } from './change-cached.ts';

function openCache(t: { after(end: () => void): void }): QueryClient {
  const client = new QueryClient();
  t.after(() => client.clear());
  client.setQueryData(['tracks', 'a'], { plays: 1 });
  client.setQueryData(['tracks', 'b'], { plays: 5 });
  client.setQueryData(['track', 'a'], { plays: 1 });
  return client;
}

/** Waits until the cache has done its work. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !holds(); tries++) await new Promise((resolve) => setTimeout(resolve));
  assert.ok(holds());
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

test('a query whose reply may be older than the change is fetched once more', async (t) => {
  const client = openCache(t);
  const replies: ((data: { plays: number }) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['tracks', 'new'],
    queryFn: () => new Promise<{ plays: number }>((reply) => replies.push(reply)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  t.after(observer.subscribe(() => undefined));
  assert.equal(replies.length, 1);
  for (const plays of [2, 3]) changeCached<{ plays: number }>(client, ['tracks', 'new'], () => ({ plays }));
  replies[0]?.({ plays: 1 });
  await until(() => replies.length === 2);
  replies[1]?.({ plays: 3 });
  await until(() => observer.getCurrentResult().data?.plays === 3);
  await until(() => !observer.getCurrentResult().isFetching);
  assert.equal(replies.length, 2, 'once, for both changes');
});
