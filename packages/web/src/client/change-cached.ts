import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Changes the data of every cached query whose key begins with `queryKey`. A query that is marked for a refetch keeps
 * its mark, because the change brings only a part of it up to date.
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
    if (before === undefined) continue;
    const after = change(before);
    if (after === before) continue;
    const { isInvalidated } = query.state;
    client.setQueryData<Data>(query.queryKey, after);
    if (isInvalidated) query.invalidate();
  }
}
