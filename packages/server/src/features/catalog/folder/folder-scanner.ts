import { catalogChannel } from '@stem-studio/contract/events/catalog';
import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import type { Logger } from 'pino';
import { type Clock, pause } from '../../../platform/clock.ts';
import { runForAll } from '../../../platform/db/connection-shares.ts';
import type { Db } from '../../../platform/db/database.ts';
import { failure, messageOf } from '../../../platform/errors.ts';
import { secondsLeft } from '../../../platform/seconds-left.ts';
import { publish } from '../../../platform/socket/publish.ts';
import { type CatalogScanRow, findScan, holdScanLock, saveScan } from '../catalog-scans.store.ts';
import { type ScanCounts, scanError, scanFolder } from './scan-folder.ts';

const refreshEveryMs = 15_000;
/** Minimum interval between stored and published progress reports, in ms. */
const reportEveryMs = 1000;
/** Time without a progress report after which a scan counts as interrupted, in ms. */
const silentMs = 30_000;
/** Longest time that a request waits for a scan, in ms. */
const longestWaitMs = 5000;
/** A request does not wait for a scan that finds more files than this, or has more to read. */
const mostFound = 5000;
const mostChanged = 100;

/** Dependencies of a scanner. */
export interface ScannerOptions {
  readonly db: Db;
  readonly root: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Scans a catalog folder in the background, one scan at a time across all processes of the service. */
export interface FolderScanner {
  /**
   * Starts a scan when the last one is more than 15 s old. Waits for it while it is short.
   *
   * @throws `catalog_error` when the folder cannot be read
   */
  refresh(): Promise<void>;
  /** Starts a scan unless one is running, and waits only until it has begun. */
  start(): Promise<void>;
  /** Returns the progress of the latest scan, in whichever process it runs. */
  state(): Promise<CatalogScan>;
  /** Stops the running scan; the next one continues it. */
  stop(): Promise<void>;
}

interface Running {
  /** Rejects when the scan fails. */
  readonly done: Promise<void>;
  /** Resolves when requests should stop waiting. */
  readonly isLong: Promise<void>;
  /** Resolves when the state of the scan is stored. */
  readonly begun: Promise<void>;
  readonly stop: AbortController;
}

interface ScanEvents {
  readonly onBegun: () => void;
  readonly onLong: () => void;
}

const noCounts: ScanCounts = { found: 0, changed: 0, read: 0, failed: 0 };

/** Creates the scanner of a folder. It scans nothing until it is called. */
export function createFolderScanner({ db, root, clock, log }: ScannerOptions): FolderScanner {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let running: Running | null = null;

  async function scan(signal: AbortSignal, { onBegun, onLong }: ScanEvents): Promise<void> {
    const started_at = clock.now();
    let counts = noCounts;
    let reportedMs = clock.monotonicMs();
    let reporting: Promise<void> = Promise.resolve();
    const report = (ended: Partial<CatalogScanRow> = {}) =>
      (reporting = reporting.then(() =>
        save({ ...counts, started_at, seen_at: clock.now(), finished_at: null, error: null, ...ended }),
      ));
    try {
      await report();
      onBegun();
      counts = await scanFolder({
        db,
        root,
        signal,
        onProgress(now) {
          counts = { ...now };
          if (now.found > mostFound || now.changed > mostChanged) onLong();
          if (clock.monotonicMs() - reportedMs < reportEveryMs) return;
          reportedMs = clock.monotonicMs();
          void report();
        },
      });
      await report({ finished_at: clock.now() });
      lookedAtMs = clock.monotonicMs();
    } catch (error) {
      // A stopped scan is stored as unfinished and interrupted: the next scan continues it.
      await report(
        signal.aborted ? { seen_at: new Date(0) } : { finished_at: clock.now(), error: scanError(error) },
      );
      throw error;
    }
  }

  async function save(row: CatalogScanRow): Promise<void> {
    try {
      await db.transaction().execute(async (tx) => {
        await saveScan(tx, row);
        if (row.changed === 0 && row.finished_at === null) return;
        await publish(tx, catalogChannel, {}, 'scan_progress', { scan: present(row, clock) });
      });
    } catch (error) {
      log.warn(`the progress of the catalog scan was not stored: ${messageOf(error)}`);
    }
  }

  function begin(): Running {
    const stop = new AbortController();
    const long = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const events = { onBegun: begun.resolve, onLong: long.resolve };
    // Runs outside the request that starts it, which would otherwise hold one of its connections until the scan ends.
    const done = runForAll(() => holdScanLock(db, () => scan(stop.signal, events)))
      .then((isMine) => {
        // Another process is scanning: its results appear in the database.
        if (!isMine) lookedAtMs = clock.monotonicMs() - refreshEveryMs + reportEveryMs;
      })
      .finally(() => {
        running = null;
      });
    done.catch((error: unknown) => {
      if (!stop.signal.aborted) log.warn(`the catalog folder was not scanned: ${messageOf(error)}`);
    });
    return { done, isLong: long.promise, begun: begun.promise, stop };
  }

  return {
    async refresh() {
      if (clock.monotonicMs() - lookedAtMs < refreshEveryMs) return;
      const { done, isLong, stop } = (running ??= begin());
      const late = new AbortController();
      try {
        await Promise.race([done, isLong, pause(longestWaitMs, late.signal)]);
      } catch (error) {
        // A stopped scan says nothing about the folder: the request is answered from stored data.
        if (!stop.signal.aborted) throw failure('catalog_error', scanError(error));
      } finally {
        late.abort();
      }
    },
    async start() {
      running ??= begin();
      // The reason for a failed start is in the log.
      await Promise.race([running.begun, running.done.catch(() => undefined)]);
    },
    async state() {
      return present(await findScan(db), clock);
    },
    async stop() {
      const { done, stop } = running ?? {};
      stop?.abort(new Error('the service stops'));
      await done?.catch(() => undefined);
    },
  };
}

function present(row: CatalogScanRow | undefined, clock: Clock): CatalogScan {
  if (!row) return { ...noCounts, ...neverScanned };
  const { found, changed, read, failed, error } = row;
  const isSilent = clock.now().getTime() - row.seen_at.getTime() > silentMs;
  const isRunning = row.finished_at === null && !isSilent;
  const elapsedMs = row.seen_at.getTime() - row.started_at.getTime();
  return {
    status: error !== null ? 'failed' : isRunning ? 'running' : row.finished_at ? 'completed' : 'interrupted',
    found,
    changed,
    read,
    failed,
    eta_seconds: isRunning && changed > 0 ? secondsLeft(elapsedMs, read / changed) : null,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    error,
  };
}

const neverScanned = {
  status: 'never',
  eta_seconds: null,
  started_at: null,
  finished_at: null,
  error: null,
} as const;
