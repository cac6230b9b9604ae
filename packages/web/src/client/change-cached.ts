import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Changes the data of every cached query whose key begins with `queryKey`. A query that is marked for a refetch keeps
 * its mark, because the change brings only a part of it up to date. A query that is being fetched is fetched once more
 * afterwards, because the reply may be older than the change.
 *
 * @param change returns the same object for data that does not change; that query is not touched
 */
export function changeCached<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (data: Data) => Data,
): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const before = query.state.data as Data | undefined;
    const after = before === undefined ? undefined : change(before);
    if (before !== undefined && after === before) continue;
    if (query.state.fetchStatus === 'fetching') refetchAfter(client, query);
    if (after === undefined) continue;
    const { isInvalidated } = query.state;
    client.setQueryData<Data>(query.queryKey, after);
    if (isInvalidated) query.invalidate();
  }
}

/** Queries that are fetched once more when their present fetch ends. */
const refetched = new WeakSet<Query>();

function refetchAfter(client: QueryClient, query: Query): void {
  if (refetched.has(query)) return;
  refetched.add(query);
  const refetch = (): void => {
    refetched.delete(query);
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  };
  // Returns the promise of the fetch that runs.
  query.fetch().then(refetch, refetch);
}
