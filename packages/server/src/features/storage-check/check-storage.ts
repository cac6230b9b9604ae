import { pause } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { checkFiles } from './check-files.ts';
import { type Finding, finding } from './finding.ts';
import { listViolations, type Patience } from './invariants.store.ts';
import { countChecked } from './stored-rows.store.ts';

/**
 * Minimum age of files and folders to be findings, in s; equal to that of the sweeps. Younger ones may belong to work
 * that is about to write its row.
 */
const graceSeconds = 900;
/** Pause between the two checks of a running service, in ms. */
const secondLookMs = 3000;

/** Result of a storage check with its scope. */
export interface StorageReport {
  readonly checked: Awaited<ReturnType<typeof countChecked>>;
  readonly findings: readonly Finding[];
  /** Whether the check assumed that no work was under way. */
  readonly isQuiet: boolean;
  readonly seconds: number;
}

/** Options of a storage check. */
export interface CheckOptions {
  /**
   * No work is under way, because the service is stopped or idle: every mismatch is a finding, however recent.
   * Otherwise work under way is ignored, and findings must be confirmed by a second check.
   */
  readonly isQuiet: boolean;
  /** Pause between the two checks, in milliseconds; 3000 by default. */
  readonly secondLookMs?: number;
}

/** Runs one check on one snapshot of the database. */
function look(context: Context, patience: Patience): Promise<readonly Finding[]> {
  return context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx: Db) => {
      const violations = await listViolations(tx, patience);
      const files = await checkFiles(tx, context.config.uploadsDir, patience, context.clock.now().getTime());
      return [...violations.map(({ kind, subject, detail }) => finding(kind, subject, detail)), ...files];
    });
}

const keyOf = ({ kind, subject }: Finding) => `${kind} ${subject}`;

/**
 * Compares rows, files and queue, and reports mismatches. Changes nothing.
 *
 * @see docs/decisions/0240-storage-check.md
 */
export async function checkStorage(context: Context, options: CheckOptions): Promise<StorageReport> {
  const startedMs = context.clock.monotonicMs();
  const { isQuiet } = options;
  const patience: Patience = {
    isRunning: !isQuiet,
    graceSeconds: isQuiet ? 0 : graceSeconds,
    trashSeconds: context.config.trashDays * 86_400,
  };
  let findings = await look(context, patience);
  if (findings.length > 0 && !isQuiet) {
    await pause(options.secondLookMs ?? secondLookMs);
    const again = new Set((await look(context, patience)).map(keyOf));
    findings = findings.filter((one) => again.has(keyOf(one)));
  }
  return {
    checked: await countChecked(context.db),
    findings,
    isQuiet,
    seconds: (context.clock.monotonicMs() - startedMs) / 1000,
  };
}
