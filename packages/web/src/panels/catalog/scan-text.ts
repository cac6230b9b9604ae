import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import { countText, timeLeftText } from '../../ui/format.ts';

/** What is said of the scan of the catalog folder; null where there is nothing to say. */
export function scanText(scan: CatalogScan): string | null {
  const { status, found, changed, read, failed, eta_seconds, error } = scan;
  if (status === 'failed') return `The music folder was not read to its end: ${error}.`;
  if (status === 'running' && changed === 0)
    return found === 0 ? null : `Looking through the music folder: ${countText(found, 'file')}`;
  if (status === 'running') {
    const left =
      eta_seconds === null ? '' : `, ${eta_seconds < 10 ? '' : 'about '}${timeLeftText(eta_seconds)}`;
    return `Reading the music folder: ${read.toLocaleString('en')} of ${countText(changed, 'file')}${left}`;
  }
  return failed === 0 ? null : `${countText(failed, 'file')} of the music folder could not be read.`;
}
