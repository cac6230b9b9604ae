import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import { countText, timeLeftText } from '../../base/format.ts';

/** Text about the scan of the catalog folder, or null before the first scan. */
export function scanText(scan: CatalogScan): string | null {
  const { status, found, changed, read, failed, eta_seconds, error } = scan;
  if (status === 'failed') return `The scan of the music folder failed: ${error}.`;
  if (status === 'running' && changed === 0) return `Scanning the music folder: ${countText(found, 'file')}`;
  if (status === 'running') {
    const left =
      eta_seconds === null ? '' : `, ${eta_seconds < 10 ? '' : 'about '}${timeLeftText(eta_seconds)}`;
    return `Reading the music folder: ${read.toLocaleString('en')} of ${countText(changed, 'file')}${left}`;
  }
  if (failed > 0) return `${countText(failed, 'file')} of the music folder could not be read.`;
  return status === 'completed' ? `${countText(found, 'file')} in the music folder` : null;
}
