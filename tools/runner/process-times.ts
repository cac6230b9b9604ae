import { readdirSync, readFileSync } from 'node:fs';

/** Unit of the times in `/proc`, in seconds; the same on every Linux that Node runs on. */
const tickSeconds = 0.01;

/** Processor times of a process, in seconds. */
export interface ProcessTimes {
  /** Number of the parent process. */
  readonly parent: number;
  /** Distinguishes processes that had the same number one after the other. */
  readonly start: string;
  readonly own: number;
  /** Time of ended descendants that the process, or one of them, has waited for. */
  readonly waited: number;
}

/** Parses `/proc/PID/stat`. */
function parseStat(stat: string): ProcessTimes {
  // The name before it may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (...indexes: readonly number[]) =>
    indexes.reduce((sum, index) => sum + Number(fields[index]), 0) * tickSeconds;
  return {
    parent: Number(fields[1]),
    start: fields[19] ?? '',
    own: seconds(11, 12),
    waited: seconds(13, 14),
  };
}

/**
 * Returns the processor times of this process and of the descendants that it has waited for, in seconds. Without
 * `/proc` those of the descendants are missing.
 */
export function ownProcessSeconds(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const own = (userCPUTime + systemCPUTime) / 1e6;
  if (process.platform !== 'linux') return own;
  return own + parseStat(readFileSync('/proc/self/stat', 'utf8')).waited;
}

/** Longest age of the times that all running files share, in ms. */
const sharedMs = 1500;
let shared = { atMs: Number.NEGATIVE_INFINITY, times: new Map<number, ProcessTimes>() };

/** Returns the processor times of all processes by number, at most 1.5 s old; empty where there is no `/proc`. */
export function readProcessTimes(): ReadonlyMap<number, ProcessTimes> {
  const atMs = performance.now();
  if (atMs - shared.atMs > sharedMs) shared = { atMs, times: listProcessTimes() };
  return shared.times;
}

function listProcessTimes(): Map<number, ProcessTimes> {
  const times = new Map<number, ProcessTimes>();
  if (process.platform !== 'linux') return times;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      times.set(Number(name), parseStat(readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // The process has ended meanwhile.
    }
  }
  return times;
}

interface Seen {
  times: ProcessTimes;
  readonly children: Seen[];
  isAlive: boolean;
}

/**
 * Sums the processor time of a process and of everything below it. Descendants stay in the sum when they end, and when
 * their parent ends before them.
 */
export interface TreeTimes {
  /** Updates the sum; `all` are the times of all processes of the machine. */
  observe(all: ReadonlyMap<number, ProcessTimes>): void;
  /** Returns the sum so far, in seconds. */
  seconds(): number;
}

function secondsOf({ times, children }: Seen): number {
  const sumOf = (isAlive: boolean) =>
    children.filter((child) => child.isAlive === isAlive).reduce((sum, child) => sum + secondsOf(child), 0);
  // What a process has waited for is exact; the rest was last observed before its end.
  return times.own + Math.max(times.waited, sumOf(false)) + sumOf(true);
}

/** Starts to observe the process `root`. */
export function observeTree(root: number): TreeTimes {
  const seen = new Map<number, Seen>();
  return {
    observe(all) {
      for (const [pid, found] of seen) {
        const times = all.get(pid);
        found.isAlive = times !== undefined && times.start === found.times.start;
        if (times && found.isAlive) found.times = times;
      }
      // A parent may be listed after its children.
      for (let hasGrown = true; hasGrown; ) {
        hasGrown = false;
        for (const [pid, times] of all) {
          const parent = seen.get(times.parent);
          const known = seen.get(pid);
          if (known?.isAlive || !(pid === root ? !known : parent?.isAlive)) continue;
          const found: Seen = { times, children: [], isAlive: true };
          seen.set(pid, found);
          if (pid !== root) parent?.children.push(found);
          hasGrown = true;
        }
      }
    },
    seconds() {
      const found = seen.get(root);
      return found ? secondsOf(found) : 0;
    },
  };
}
