import { listCrates } from '@stem-studio/contract/endpoints/crates';
import { listPlayedSets } from '@stem-studio/contract/endpoints/plays';
import { listTracks } from '@stem-studio/contract/endpoints/tracks';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** Played sets per page of the history. */
const setsPerPage = 20;

/** The crates of the user in their order; events update them. */
export function cratesQuery() {
  return queryOptions({
    queryKey: ['crates'],
    queryFn: async ({ signal }) => (await call(listCrates, null, signal)).data,
  });
}

/** Number of tracks that a smart crate finds; refetched when tracks change. */
export function crateCountQuery(id: string) {
  return queryOptions({
    queryKey: ['crate-count', id],
    queryFn: async ({ signal }) =>
      (await call(listTracks, { query: { crate: id, page_size: '1' } }, signal)).meta.total_count,
  });
}

/** The played sets, the newest first; refetched each time, because a set may still run. */
export function playedSetsQuery() {
  return infiniteQueryOptions({
    queryKey: ['played-sets'],
    staleTime: 0,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listPlayedSets, { query: { page: String(pageParam), page_size: String(setsPerPage) } }, signal),
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
  });
}

/** Refetches the lists of smart crates, whose tracks depend on the fields of all tracks. */
export function refetchSmartCrates(client: QueryClient): void {
  const smart = client.getQueryData(cratesQuery().queryKey)?.filter(({ query }) => query !== null) ?? [];
  void client.invalidateQueries({ queryKey: ['crate-count'] });
  void refetchCrateLists(
    client,
    smart.map(({ id }) => id),
  );
}

/**
 * Refetches the lists of crates on the screen and forgets the others, so that opening one does not show its former
 * tracks first.
 */
export async function refetchCrateLists(client: QueryClient, ids: readonly string[]): Promise<void> {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    ids.some((id) => listsCrate(queryKey, id));
  client.removeQueries({ type: 'inactive', predicate });
  await client.invalidateQueries({ predicate });
}

/** Whether the key of a query is that of a list of tracks of a crate. */
function listsCrate(queryKey: readonly unknown[], id: string): boolean {
  const view = queryKey[0] === 'tracks' ? queryKey[1] : null;
  return typeof view === 'object' && view !== null && 'crate' in view && view.crate === id;
}
