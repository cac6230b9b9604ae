import { pause } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { checkFiles } from './check-files.ts';
import { type Finding, finding } from './finding.ts';
import { listViolations, type Patience } from './invariants.store.ts';
import { countChecked } from './stored-rows.store.ts';

/** Files and folders that are younger may belong to work that is about to write its row; the sweeps wait as long. */
const graceSeconds = 900;
/** Pause between the two looks at a running service. */
const secondLookMs = 3000;

/** What a check compared, and what it found. */
export interface StorageReport {
  readonly checked: Awaited<ReturnType<typeof countChecked>>;
  readonly findings: readonly Finding[];
  /** Whether nothing was taken to be under way. */
  readonly isQuiet: boolean;
  readonly seconds: number;
}

/** How a check goes about it. */
export interface CheckOptions {
  /**
   * Nothing is under way, because the service is stopped or has nothing to do: everything that does not fit is a finding,
   * however young. Otherwise what is under way is left out, and what is found is looked at twice.
   */
  readonly isQuiet: boolean;
  /** Pause between the two looks, in milliseconds; 3000 unless given. */
  readonly secondLookMs?: number;
}

/** One look, at one moment of the database. */
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
 * Compares rows, files and queue, and answers what does not agree. Changes nothing.
 *
 * @see docs/decisions/0240-storage-check.md
 */
export async function checkStorage(context: Context, options: CheckOptions): Promise<StorageReport> {
  const startedMs = context.clock.monotonicMs();
  const { isQuiet } = options;
  const patience: Patience = { isRunning: !isQuiet, graceSeconds: isQuiet ? 0 : graceSeconds };
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
