import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { editBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { createCue } from '@stem-studio/contract/endpoints/cues';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { Client } from 'pg';
import { recordAudit } from '../features/audit/index.ts';
import type { BackupSource } from '../platform/backup/create-backup.ts';
import { type Connection, clientConfig, withDatabase } from '../platform/db/connection.ts';
import { chance } from '../platform/ids.ts';
import { goodPassword, registeredBrowser } from './account-steps.ts';
import { filesBelow, type LibraryApp } from './library-steps.ts';
import { belongingsOf, createPattern } from './roles/belongings.ts';
import { insertCueOf } from './roles/own-cue.ts';
import { insertDecksOf } from './roles/own-decks.ts';
import { insertNotesOf } from './roles/own-notes.ts';
import { insertSealedRows } from './sealed-rows.ts';
import { testPulse } from './test-audio.ts';
import { drainJobs, type TestContext, type TestLifetime } from './test-context.ts';
import { testConnection } from './test-postgres.ts';

/** Options of work that is never cancelled and whose progress is ignored. */
export const quietWork = { signal: new AbortController().signal, onProgress: () => undefined };

/** Returns the parts of a test's context that are backed up. */
export function sourceOf({ connection, config, clock }: TestContext): BackupSource {
  return { connection, config, clock };
}

/** Runs `work` on a separate connection. */
export async function withClient<T>(
  connection: Connection,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(clientConfig(connection, 0));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates an empty database, dropped after the test. */
export async function createEmptyDatabase(t: TestLifetime): Promise<Connection> {
  const admin = await testConnection();
  const name = `empty_${process.pid}_${chance().toString(36).slice(2, 10)}`;
  await withClient(admin, (client) => client.query(`create database ${name}`));
  t.after(() =>
    withClient(admin, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    }),
  );
  return withDatabase(admin, name);
}

/** Columns of jobs that a restore may change: an unfinished job is queued again at a new position. */
const queueColumns = new Set(['queue_id', 'lease_id', 'status', 'attempt', 'progress', 'eta_seconds']);

/**
 * Returns every row of every logged table as JSON, by table, sorted. The queue columns of unfinished jobs are left out;
 * `ran_at` and everything else is compared.
 */
export async function everyRow(connection: Connection): Promise<Record<string, string[]>> {
  return withClient(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`
      select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace
      and relkind = 'r' and relpersistence = 'p' order by 1`);
    const found: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${client.escapeIdentifier(name)} t`,
      );
      found[name] = rows
        .map(({ row }) => {
          const isUnfinished = name === 'jobs' && row['finished_at'] === null;
          return JSON.stringify(
            Object.entries(row)
              .filter(([column]) => !isUnfinished || !queueColumns.has(column))
              .toSorted(([a], [b]) => (a < b ? -1 : 1)),
          );
        })
        .toSorted();
    }
    return found;
  });
}

/** Returns the schema as text: columns, constraints, indexes, triggers with their states, sequences. */
export async function schemaText(connection: Connection): Promise<string[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
        from information_schema.columns where table_schema = current_schema()
      union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint where connamespace = current_schema()::regnamespace
      union all select indexdef from pg_indexes where schemaname = current_schema()
      union all select format('trigger %s %s', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
      order by 1`);
    return rows.map(({ line }) => line);
  });
}

/** Returns the SHA-256 of every file below a folder, by relative path. */
export async function everyFile(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of await filesBelow(folder)) {
    if (path.startsWith('.staging')) continue;
    found[path] = createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex');
  }
  return found;
}

/**
 * Email address of an admin of {@link fillLibraryForBackup} who logs in with a password. Admins may read the files of
 * all users.
 */
export const backupEmail = 'owner@example.org';

/**
 * Fills a library with every kind of data that the service stores: uploads, stems, an analysis with an edited grid,
 * cues, notes, decks, keys, secrets, the audit log, a deleted track, and a queued job.
 *
 * @returns the id of the queued job
 */
export async function fillLibraryForBackup(library: LibraryApp): Promise<{ readonly waitingJob: string }> {
  const { context, user } = library;
  await registeredBrowser(library.app, backupEmail);
  await context.db.updateTable('users').set({ role: 'admin' }).where('email', '=', backupEmail).execute();
  const song = await testPulse({ seconds: 8, bpm: 120, chordHz: [220, 277] });
  const { id } = await library.addTrack(song, 'pulse.wav');
  await library.ask(separate, { body: { track_id: id } });
  await library.ask(analyze, { body: { track_id: id } });
  await drainJobs(context);
  const edited = await library.ask(editBeatGrid, { params: { id }, body: { edit: 'shift_ms', ms: 3 } });
  assert.equal(edited.status, 200);
  const cue = { position_ms: 1500, label: 'Tab\tand "line\\n' };
  assert.equal((await library.ask(createCue, { params: { id }, body: cue })).status, 201);
  await drainJobs(context);
  const owner = { ...user, mark: 'Owner \\ \u{1F3B5}' };
  const has = belongingsOf(context, await createPattern(library), owner);
  await insertNotesOf(has);
  await insertCueOf(has);
  await insertDecksOf(has);
  await insertSealedRows(context, 3);
  await has.libraryImport();
  const gone = await has.track();
  await library.ask(deleteTrack, { params: { id: gone.id } });
  await context.db.transaction().execute((tx) =>
    recordAudit(tx, {
      action: 'user_role_changed',
      actor_user_id: null,
      target_user_id: user.id,
      details: { old_role: 'user', new_role: 'admin' },
    } as never),
  );
  await drainJobs(context);
  return { waitingJob: await has.waitingJob() };
}

/** Password of {@link backupEmail}. */
export const backupPassword = goodPassword;
