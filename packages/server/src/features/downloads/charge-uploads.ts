import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { chargeReceived } from '../tracks/index.ts';
import { sourceFolder } from './download-args.ts';
import { listUploadsOf } from './downloads.store.ts';

/**
 * Charges a track that has no prepared audio for the uploaded files that lie on the disk for it, so that uploads whose
 * jobs fail or are cancelled count too. What a prepared track stores is charged by the database itself.
 */
export async function chargeUploads(context: Context, tx: Tx, trackId: string): Promise<void> {
  let bytes = 0;
  for (const id of await listUploadsOf(tx, trackId))
    bytes += (await context.files.stat(`${sourceFolder(id)}/received`))?.bytes ?? 0;
  await chargeReceived(tx, trackId, bytes);
}
