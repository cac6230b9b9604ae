import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { findFfmpeg } from '../../../platform/process/ffmpeg.ts';
import { type ProgramOutcome, runProgram } from '../../../platform/process/program.ts';
import type { SearchResult } from './score-candidate.ts';
import { downloadArguments, parseProgress, searchArguments, searchTarget } from './tool-arguments.ts';
import { problemIn, type ToolFailure, type ToolProblem, toToolFailure } from './tool-failure.ts';

/** A search result and its address. */
export interface FoundSource extends SearchResult {
  /** Derived from the address. */
  readonly id: string;
  readonly url: string;
}

const searchLimitMs = 90_000;
const versionLimitMs = 15_000;
/**
 * Longest silence of the tool, in ms. It is longer than the tool needs to give up: the tool drops a dead connection
 * after 15 s and retries it three times.
 */
const stallLimitMs = 120_000;
/** Silence of the tool after which it is reported, in ms. */
const quietMs = 5000;
/** Upper limit of results per search. */
const mostResults = 20;

const text = z
  .string()
  .nullish()
  .transform((value) =>
    (value ?? '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 300),
  );

const result = z.object({
  _type: z.string().nullish(),
  url: z.string().nullish(),
  webpage_url: z.string().nullish(),
  extractor_key: z.string().nullish(),
  title: text,
  channel: text,
  uploader: text,
  duration: z.number().min(0).max(1_000_000).nullish(),
});

/**
 * Searches with the tool. An empty list means that nothing was found.
 *
 * @throws {@link ToolFailure}
 */
export async function searchSources(
  context: Context,
  query: string,
  folder: string,
  signal: AbortSignal,
): Promise<FoundSource[]> {
  const found = new Map<string, FoundSource>();
  const target = searchTarget(context.config.downloadToolSearch, query);
  const outcome = await runTool(context, searchArguments(target, process.execPath), {
    folder,
    signal,
    timeLimitMs: searchLimitMs,
    onLine(line) {
      const source = parseResult(line);
      if (source && found.size < mostResults) found.set(source.id, source);
    },
  });
  if (outcome && found.size === 0) throw outcome;
  return [...found.values()];
}

/** Parses one line of the tool's output; null for anything that is not a downloadable result. */
export function parseResult(line: string): FoundSource | null {
  if (!line.startsWith('{')) return null;
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = result.safeParse(json);
  if (!parsed.success) return null;
  const { _type, url, webpage_url, extractor_key, title, channel, uploader, duration } = parsed.data;
  // A plain page that embeds audio is the search's own page: the address of the audio itself is needed.
  const isPlainPage = /^(generic|html5mediaembed)$/i.test(extractor_key ?? '');
  const address = (_type === 'url' || isPlainPage ? (url ?? webpage_url) : (webpage_url ?? url)) ?? '';
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol) || address.length > 4096)
    return null;
  return {
    id: createHash('sha256').update(address).digest('base64url').slice(0, 22),
    url: address,
    title: title || address,
    channel: channel || uploader,
    durationMs: duration ? Math.round(duration * 1000) : null,
  };
}

/** Observer of a download. */
export interface FetchWatch {
  readonly signal: AbortSignal;
  onProgress(fraction: number): void;
  /** Called every few seconds while the tool writes nothing, with the whole seconds since its last output. */
  onQuiet(seconds: number): void;
}

/**
 * Downloads the best audio at an address into `folder` and returns the name of the file. Leaves no file when it fails.
 *
 * @throws {@link ToolFailure}, also when the tool takes longer than `DOWNLOAD_TIME_LIMIT_SECONDS` or writes nothing for
 * two minutes
 */
export async function fetchAudio(
  context: Context,
  url: string,
  folder: string,
  watch: FetchWatch,
  limits: { readonly stallMs: number; readonly quietMs: number } = { stallMs: stallLimitMs, quietMs },
): Promise<string> {
  const { config } = context;
  const args = downloadArguments(url, {
    runtime: process.execPath,
    mostMegabytes: config.maxUploadMb,
    ffmpegPath: await findFfmpeg(config),
  });
  const timeLimitMs = config.downloadTimeLimitSeconds * 1000;
  let isTooLarge = false;
  const silence = watchSilence(context, limits, watch);
  try {
    const failure = await runTool(context, args, {
      folder,
      signal: AbortSignal.any([watch.signal, silence.signal]),
      timeLimitMs,
      onLine(line) {
        silence.onOutput();
        const fraction = parseProgress(line);
        if (fraction !== null) watch.onProgress(fraction);
        else if (/larger than max-filesize/i.test(line)) isTooLarge = true;
      },
    });
    if (failure) throw failure;
    const name = (await readdir(folder)).find(isReceived);
    if (name) return name;
    throw await explain(context, folder, isTooLarge ? 'too_large' : 'unknown', '', timeLimitMs);
  } catch (error) {
    // The folder is reused for the next candidate and must not hold parts of this one.
    for (const name of await readdir(folder)) if (isReceived(name)) await rm(join(folder, name));
    if (error !== silence.signal.reason) throw error;
    throw await explain(context, folder, 'stalled', '', limits.stallMs);
  } finally {
    silence.end();
  }
}

const isReceived = (name: string) => name.startsWith('received.');

/** Reports silence while it lasts, and aborts `signal` when it exceeds the limit. */
function watchSilence(
  { clock }: Context,
  limits: { readonly stallMs: number; readonly quietMs: number },
  watch: FetchWatch,
) {
  const stalled = new AbortController();
  let lastOutputMs = clock.monotonicMs();
  const timer = setInterval(() => {
    const quietFor = clock.monotonicMs() - lastOutputMs;
    if (quietFor >= limits.stallMs) stalled.abort(new Error('the download tool fell silent'));
    else if (quietFor >= limits.quietMs) watch.onQuiet(Math.round(quietFor / 1000));
  }, limits.quietMs / 3);
  return {
    signal: stalled.signal,
    onOutput: () => void (lastOutputMs = clock.monotonicMs()),
    end: () => clearInterval(timer),
  };
}

interface ToolRun {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
  readonly onLine: (line: string) => void;
}

/** Runs the tool; returns its failure, or null on success. */
async function runTool(context: Context, args: readonly string[], run: ToolRun): Promise<ToolFailure | null> {
  const command = context.config.downloadTool;
  const outcome: ProgramOutcome = await runProgram({ command, args, cwd: run.folder, ...run });
  if (outcome.kind === 'exited' && outcome.exitCode === 0) return null;
  if (outcome.kind !== 'exited') return explain(context, run.folder, outcome.kind, '', run.timeLimitMs);
  context.log.info({ tail: outcome.stderrTail }, 'the download tool failed');
  const problem = problemIn(outcome.stderrTail);
  return explain(context, run.folder, problem, outcome.stderrTail, run.timeLimitMs);
}

async function explain(
  context: Context,
  folder: string,
  problem: ToolProblem,
  stderrTail: string,
  timeLimitMs: number,
): Promise<ToolFailure> {
  const version = problem === 'missing' ? null : await versionOf(context, folder);
  return toToolFailure({
    problem,
    tool: context.config.downloadTool,
    version,
    stderrTail,
    now: context.clock.now(),
    timeLimitSeconds: timeLimitMs / 1000,
  });
}

async function versionOf(context: Context, folder: string): Promise<string | null> {
  let version: string | null = null;
  await runProgram({
    command: context.config.downloadTool,
    args: ['--version'],
    cwd: folder,
    signal: AbortSignal.timeout(versionLimitMs * 2),
    timeLimitMs: versionLimitMs,
    onLine: (line) => {
      version ??= line.trim().slice(0, 40) || null;
    },
  }).catch(() => null);
  return version;
}
