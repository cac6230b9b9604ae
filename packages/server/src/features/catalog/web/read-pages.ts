import type { SkippedItem } from '@stem-studio/contract/resources/catalog';
import { failure } from '../../../platform/errors.ts';
import type { Ask, CatalogClient } from './catalog.client.ts';
import * as replies from './catalog-replies.ts';

/** Maximum number of entries on a page of an album or a playlist. */
export const pageSize = 50;
/** Maximum number of entries that are read, more than any playlist made by a person has. */
const mostEntries = 20_000;

/**
 * Reads all entries of a list of the web catalog, page by page.
 *
 * @param first address of the first page
 * @throws ServiceError `catalog_error` where pages form a loop or lead away from the catalog, or the list is too long
 */
export async function readPages(
  client: CatalogClient,
  first: string,
  { deadlineMs, forbidden, person }: Pick<Ask<unknown>, 'deadlineMs' | 'forbidden' | 'person'>,
): Promise<{ entries: unknown[]; skipped: SkippedItem[] }> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let announced = 0;
  for (let target: string | null = first; target !== null; ) {
    if (seen.has(target))
      throw failure('catalog_error', "the web catalog's pages lead in a circle: nothing was imported");
    seen.add(target);
    if (target !== first && !client.isOwnAddress(target))
      throw failure('catalog_error', 'the web catalog sent us to an address that is not its own');
    const page: replies.PageReply | null = await client.ask({
      target,
      schema: replies.pageReply,
      forbidden,
      person,
      deadlineMs,
    });
    if (page === null)
      throw failure('catalog_error', 'the web catalog lost a page of this list: try again later');
    entries.push(...page.items);
    announced = Math.max(announced, page.total ?? 0);
    if (entries.length > mostEntries)
      throw failure('catalog_error', `a list may have at most ${mostEntries} entries; this one has more`);
    target = page.next ?? null;
  }
  const missing = announced - entries.length;
  const skipped: SkippedItem[] =
    missing > 0
      ? [
          {
            title: missing === 1 ? '1 further entry' : `${missing} further entries`,
            reason: `the catalog announced ${announced} entries and delivered ${entries.length}`,
          },
        ]
      : [];
  return { entries, skipped };
}
