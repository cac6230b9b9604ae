import type { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { z } from 'zod';
import { countText, timeLeftText } from '../base/format.ts';

type Imported = Omit<z.output<typeof importCatalog.reply>['data'], 'import_id'>;

/** Result of an import request in one sentence: songs being imported, already present, and skipped with the reason. */
export function importText({ items, skipped }: Imported): string {
  // An existing song without audio is being imported too.
  const fresh = items.filter((item) => item.status !== 'completed').length;
  const known = items.length - fresh;
  const parts: string[] = [];
  if (fresh > 0) parts.push(`Importing ${countText(fresh, 'song')}`);
  if (known > 0) parts.push(`${countText(known, 'song')} already in the library`);
  const first = skipped[0];
  if (first) {
    const others = skipped.length > 1 ? `, and ${skipped.length - 1} more` : '';
    parts.push(`${countText(skipped.length, 'song')} skipped (“${first.title}”: ${first.reason}${others})`);
  }
  return parts.length === 0 ? 'The list is empty. Nothing was imported.' : `${parts.join('; ')}.`;
}

/** Progress of an import, such as `120 of 1,000 songs · 3 failed · 4 min left`. */
export function importProgressText(
  one: Pick<LibraryImport, 'total' | 'completed' | 'failed' | 'eta_seconds'>,
): string {
  const parts = [`${(one.completed + one.failed).toLocaleString('en')} of ${countText(one.total, 'song')}`];
  if (one.failed > 0) parts.push(`${one.failed.toLocaleString('en')} failed`);
  const left = timeLeftText(one.eta_seconds);
  if (left !== '') parts.push(left);
  return parts.join(' · ');
}

/** Result of an import, such as `Done: 58 songs imported, 2 failed` or `Cancelled: 12 of 1,000 songs imported`. */
export function importOutcomeText(one: LibraryImport): string {
  if (one.status === 'cancelled')
    return `Cancelled: ${one.completed.toLocaleString('en')} of ${countText(one.total, 'song')} imported`;
  if (one.status === 'running') return importProgressText(one);
  const failed = one.failed > 0 ? `, ${one.failed.toLocaleString('en')} failed` : '';
  return `Done: ${countText(one.completed, 'song')} imported${failed}`;
}

/** Figures of several running imports together; the time left is that of the one that takes longest. */
export function sumOfImports(
  imports: readonly LibraryImport[],
): Pick<LibraryImport, 'total' | 'completed' | 'failed' | 'progress' | 'eta_seconds'> {
  const sum = (field: 'total' | 'completed' | 'failed') =>
    imports.reduce((total, one) => total + one[field], 0);
  const total = sum('total');
  const ended = sum('completed') + sum('failed');
  const times = imports.flatMap(({ eta_seconds }) => (eta_seconds === null ? [] : [eta_seconds]));
  return {
    total,
    completed: sum('completed'),
    failed: sum('failed'),
    progress: total === 0 ? 100 : Math.floor((ended / total) * 100),
    eta_seconds: times.length === 0 ? null : Math.max(...times),
  };
}
