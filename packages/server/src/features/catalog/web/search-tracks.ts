import type { CatalogEntry, CatalogHits } from '../catalog-provider.ts';
import type { CatalogClient } from './catalog.client.ts';
import * as replies from './catalog-replies.ts';

/** Maximum number of hits on a page, for applications new to the catalog. */
const searchPageSize = 10;
/** The catalog returns no hits beyond this one. */
const lastHit = 1000;

/** Searches tracks, with as many pages as `limit` needs. */
export async function searchTracks(
  client: CatalogClient,
  terms: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  toEntry: (track: replies.TrackReply) => CatalogEntry,
): Promise<CatalogHits> {
  const deadlineMs = client.deadline();
  const entries: CatalogEntry[] = [];
  let totalCount = 0;
  // Also for a limit of 0: the number of hits determines which page of the following catalog is read.
  for (let at = offset; at < lastHit && (at === offset || entries.length < limit); ) {
    const wanted = Math.max(1, Math.min(searchPageSize, limit - entries.length, lastHit - at));
    const query = new URLSearchParams({ q: terms, type: 'track', limit: `${wanted}`, offset: `${at}` });
    const target = `/search?${query.toString()}`;
    const reply = await client.ask({ target, schema: replies.searchReply, deadlineMs });
    const page = reply?.tracks;
    totalCount = Math.min(lastHit, page?.total ?? 0);
    for (const item of page?.items.slice(0, wanted) ?? []) {
      const track = replies.trackReply.safeParse(item);
      if (track.success && entries.length < limit) entries.push(toEntry(track.data));
    }
    at += wanted;
    if (at >= totalCount) break;
  }
  return { entries, totalCount };
}
