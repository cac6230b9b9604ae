import type { Context } from '../context.ts';
import { countSecretsByKey } from './sealed-columns.ts';

/** Logs which stored secrets cannot be read because their key is missing. The service runs without them. */
export async function warnOfLostKeys({ db, secrets, log }: Context): Promise<void> {
  const known = new Set(secrets.keyIds());
  for (const [id, count] of await countSecretsByKey(db)) {
    if (known.has(id)) continue;
    log.warn(
      `${count} stored ${count === 1 ? 'secret is' : 'secrets are'} encrypted with the key ${id}, which this studio does not have, and cannot be used: set SECRET_KEY_PREVIOUS to it, or restore its line in secret.key`,
    );
  }
}
