import type { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import type { z } from 'zod';
import { countText } from '../../ui/format.ts';

type Imported = Omit<z.output<typeof importCatalog.reply>['data'], 'import_id'>;

/** What an import brought, in one sentence: how many songs are on their way, were there already, were left out and why. */
export function importWords({ items, skipped }: Imported): string {
  const fresh = items.filter((item) => !item.existing).length;
  const known = items.length - fresh;
  const parts: string[] = [];
  if (fresh > 0) parts.push(`${countText(fresh, 'song')} on the way`);
  if (known > 0) parts.push(`${countText(known, 'song')} in the library already`);
  const first = skipped[0];
  if (first) {
    const others = skipped.length > 1 ? `, and ${skipped.length - 1} more` : '';
    parts.push(`${countText(skipped.length, 'song')} left out (“${first.title}”: ${first.reason}${others})`);
  }
  return parts.length === 0
    ? 'The link leads to an empty list; nothing was imported.'
    : `${parts.join('; ')}.`;
}
