import type { Context } from '../platform/context.ts';
import type { Tx } from '../platform/db/database.ts';
import { untilSomebodyWaits } from './waiting-for-lock.ts';

/**
 * Returns the reply to `request` while `change` is in progress. The change starts before the request and is committed
 * when the request waits for a row that the change has locked.
 */
export async function commitDuring<T>(
  { db }: Context,
  change: (tx: Tx) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  const begun = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const changing = db.transaction().execute(async (tx) => {
    await change(tx);
    begun.resolve();
    await mayCommit.promise;
  });
  await begun.promise;
  const answer = request();
  await untilSomebodyWaits(db);
  mayCommit.resolve();
  await changing;
  return answer;
}
