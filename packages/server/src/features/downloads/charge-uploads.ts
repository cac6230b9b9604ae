import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { chargeReceived } from '../tracks/index.ts';
import { sourceFolder } from './download-args.ts';
import { listUploadsOf } from './downloads.store.ts';

/**
 * Charges the stored upload bytes of a track that has no prepared audio yet. Uploads whose jobs fail or are cancelled
 * therefore count too. The database charges what a prepared track stores.
 */
export async function chargeUploads(context: Context, tx: Tx, trackId: string): Promise<void> {
  let bytes = 0;
  for (const id of await listUploadsOf(tx, trackId))
    bytes += (await context.files.stat(`${sourceFolder(id)}/received`))?.bytes ?? 0;
  await chargeReceived(tx, trackId, bytes);
}
