import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { mergeScan } from './merge-events.ts';

const running: CatalogScan = {
  status: 'running',
  found: 8,
  changed: 8,
  read: 0,
  failed: 0,
  eta_seconds: null,
  started_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  error: null,
};
const completed: CatalogScan = { ...running, status: 'completed', read: 8 };

test('keeps the pushed end of a scan when an older reply arrives', async (t) => {
  const client = new QueryClient();
  const early = Promise.withResolvers<CatalogScan>();
  const later = Promise.withResolvers<CatalogScan>();
  const replies = [early.promise, later.promise];
  const queryFn = () => replies.shift() ?? completed;
  const observer = new QueryObserver(client, { queryKey: ['catalog-scan'], queryFn });
  t.after(observer.subscribe(() => undefined));
  t.after(() => client.clear());
  mergeScan(client, completed);
  early.resolve(running);
  later.resolve(completed);
  await Promise.all([early.promise, later.promise]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(client.getQueryData<CatalogScan>(['catalog-scan'])?.status, 'completed');
});
