import { z } from 'zod';
import { pageSize } from './limits.ts';

/** Returns the schema of the success envelope: `{ data }`. */
export function dataOf<T extends z.ZodType>(data: T) {
  return z.object({ data });
}

/** Position of a page in a list. */
export const pageMeta = z.object({
  page: z.int(),
  page_size: z.int(),
  total_count: z.int(),
  total_pages: z.int(),
});
/** Position of a page in a list. */
export type PageMeta = z.infer<typeof pageMeta>;

/** Returns the schema of a paginated list: `{ data: [...], meta }`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: pageMeta });
}

const wholeNumberText = z.string().regex(/^\d{1,9}$/, 'must be a whole number');

/**
 * Query parameters of every paginated list: `page` from 1, `page_size` 1 to 100. A value out of range is rejected,
 * not clamped.
 *
 * @spec Response envelope
 */
export const pageQuery = {
  page: wholeNumberText.transform(Number).pipe(z.int().min(1)).default(1),
  page_size: wholeNumberText
    .transform(Number)
    .pipe(z.int().min(pageSize.min).max(pageSize.max))
    .default(pageSize.default),
};

/** Returns the metadata of page `page` of a list with `totalCount` entries. */
export function metaFor(page: number, size: number, totalCount: number): PageMeta {
  return { page, page_size: size, total_count: totalCount, total_pages: Math.ceil(totalCount / size) };
}
