import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { addKeyToFile } from './master-keys.ts';
import { countSecretsByKey, listSealedColumns, type SealedColumn } from './sealed-columns.ts';
import { type SealedText, SealedTextError } from './sealed-text.ts';

/** Result of a key rotation. */
export interface Rotation {
  /** Id of the key that all secrets are encrypted with now, and whether it was created by this rotation. */
  readonly keyId: string;
  readonly isNewKey: boolean;
  readonly moved: number;
  /** Messages about secrets that could not be read and were left unchanged. */
  readonly unreadable: readonly string[];
}

/** Thrown if another process is rotating keys. */
export class RotationRunsError extends Error {
  override readonly name = 'RotationRunsError';
}

/** Number of secrets per transaction. */
const batchSize = 100;
/** Arbitrary lock key, the same in all processes: "secrets" on a telephone keypad. */
const lockNumber = 73_273_887;

/**
 * Encrypts all secrets again with the current master key. If they all use it already and it is one of the service's own
 * keys, a new key is added to the key file first; the old ones remain in it. Each batch is a transaction, and every key
 * in use is on disk before it: an interrupted rotation loses nothing, and the next one continues it.
 *
 * @param onProgress called with the number of secrets moved so far
 * @throws RotationRunsError if another process is rotating
 */
export function rotateSecrets(context: Context, onProgress: (moved: number) => void): Promise<Rotation> {
  const { secrets, config } = context;
  // The lock belongs to the connection and ends with it, however this process ends.
  return context.db.connection().execute(async (db) => {
    const { rows } = await sql<{ ok: boolean }>`select pg_try_advisory_lock(${lockNumber}) as ok`.execute(db);
    if (!rows[0]?.ok) throw new RotationRunsError('another process is rotating the keys');
    try {
      secrets.readKeysAgain();
      const readable = new Set(secrets.keyIds().slice(1));
      const isUnfinished = [...(await countSecretsByKey(db)).keys()].some((id) => readable.has(id));
      const isNewKey = !isUnfinished && config.secretKey === null;
      if (isNewKey) {
        await addKeyToFile(config.dataDir);
        secrets.readKeysAgain();
      }
      let moved = 0;
      const unreadable: string[] = [];
      for (const column of await listSealedColumns(db)) {
        await moveColumn(context, db, column, {
          unreadable: (sentence) => unreadable.push(sentence),
          moved: (count) => {
            moved += count;
            onProgress(moved);
          },
        });
      }
      return { keyId: secrets.keyIds()[0] ?? '', isNewKey, moved, unreadable };
    } finally {
      await sql`select pg_advisory_unlock(${lockNumber})`.execute(db);
    }
  });
}

interface SealedRow {
  readonly id: string | number;
  readonly user_id: number;
  readonly text: SealedText;
}

async function moveColumn(
  { secrets }: Context,
  db: Db,
  { table, column }: SealedColumn,
  report: { unreadable(sentence: string): void; moved(count: number): void },
): Promise<void> {
  const [name, from] = [sql.ref(column), sql.table(table)];
  let after: string | number | null = null;
  for (;;) {
    const batch: readonly SealedRow[] = await db.transaction().execute(async (tx) => {
      const isLater = after === null ? sql`true` : sql`id > ${after}`;
      const { rows } = await sql<SealedRow>`
        select id, user_id, ${name} as text from ${from}
        where ${name} is not null and split_part(${name}, '.', 2) <> ${secrets.keyIds()[0]} and ${isLater}
        order by id limit ${batchSize} for update`.execute(tx);
      let count = 0;
      for (const row of rows) {
        const location = { table, column, id: row.id, userId: row.user_id };
        try {
          const text = secrets.seal(secrets.open(row.text, location), location);
          await sql`update ${from} set ${name} = ${text} where id = ${row.id}`.execute(tx);
          count += 1;
        } catch (error) {
          if (!(error instanceof SealedTextError)) throw error;
          report.unreadable(error.message);
        }
      }
      if (count > 0) report.moved(count);
      return rows;
    });
    after = batch.at(-1)?.id ?? null;
    if (after === null) return;
  }
}
