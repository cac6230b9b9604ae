import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import { failure } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { secondsLeft } from '../../../platform/seconds-left.ts';
import { findTrack, type TrackRun, type TrackWithAudio } from '../../tracks/index.ts';
import { catalogKey, type DownloadSource, sourceFolder } from '../download-args.ts';
import { listCandidates, replaceCandidates, type SourceCandidateRow } from '../sources.store.ts';
import { requirePublicCandidate } from './candidate-address.ts';
import { fetchAudio, searchSources } from './download-tool.ts';
import { scoreCandidate } from './score-candidate.ts';
import { ToolFailure } from './tool-failure.ts';

/** Audio downloaded by the tool. */
export interface FoundReceived {
  readonly sourceId: string;
  readonly sourceKey: string;
  /** The candidate it came from. */
  readonly candidateId: string;
  /** Required length in ms, within 10 s; null where the user selected the candidate. */
  readonly expectedMs: number | null;
}

/** Percentage of the progress that searching and downloading take. */
const fetchingPercent = 30;
const searchingPercent = 3;

/**
 * Downloads a track's audio with the download tool. Takes the candidate that the user selected, otherwise the one its
 * audio came from, otherwise the best match of a search, then the next one where a match is unavailable. Stores all
 * search results.
 *
 * @throws {@link ToolFailure} when nothing fits or the tool fails
 */
export async function receiveBySearch(
  context: Context,
  source: Extract<DownloadSource, { kind: 'search' }>,
  run: TrackRun,
): Promise<FoundReceived> {
  const track = await findTrack(context.db, run.trackId);
  if (!track) throw failure('NOT_FOUND', 'the track was deleted');
  const staging = await context.files.createStagingFolder();
  try {
    await run.report({ status: 'downloading', progress: 0, message: 'searching for the audio' });
    const { candidates, isChosen } = await findCandidates(context, source, track, staging.path, run.signal);
    const { name, candidate } = await fetchFirst(context, candidates, staging.path, run);
    const sourceId = newId();
    const path = `${sourceFolder(sourceId)}/received`;
    await staging.publish(name, path);
    const hash = createHash('sha256');
    for await (const part of context.files.read(path)) hash.update(part);
    return {
      sourceId,
      sourceKey: catalogKey(source.catalog_id, hash.digest('hex')),
      candidateId: candidate.id,
      expectedMs: isChosen || candidate.wanted_ms === 0 ? null : candidate.wanted_ms,
    };
  } finally {
    await staging.remove();
  }
}

/** Returns the candidates to try, in order, and whether the user selected one. */
async function findCandidates(
  context: Context,
  source: Extract<DownloadSource, { kind: 'search' }>,
  track: TrackWithAudio,
  folder: string,
  signal: AbortSignal,
): Promise<{ candidates: SourceCandidateRow[]; isChosen: boolean }> {
  const known = await listCandidates(context.db, track.id);
  const wanted = known.find((row) =>
    source.candidate_id === undefined
      ? row.is_chosen && track.audio !== null
      : row.id === source.candidate_id,
  );
  if (wanted) return { candidates: [wanted], isChosen: true };

  const song = { artist: track.artist, title: track.title, durationMs: track.duration_ms };
  const found = await searchSources(context, `${track.artist} ${track.title}`.trim(), folder, signal);
  const scored = found
    .map((result) => ({ result, ...scoreCandidate(song, result) }))
    .toSorted((a, b) => b.score - a.score);
  const rows = scored.map(
    ({ result, score }, position): SourceCandidateRow => ({
      track_id: track.id,
      id: result.id,
      position,
      url: result.url,
      title: result.title,
      channel: result.channel,
      duration_ms: result.durationMs,
      wanted_ms: track.duration_ms,
      score,
      is_chosen: false,
      found_at: context.clock.now(),
    }),
  );
  await replaceCandidates(context.db, track.id, rows);
  const safe = rows.filter((_row, position) => scored[position]?.isSafe);
  if (safe.length > 0) return { candidates: safe, isChosen: false };
  throw new ToolFailure(
    'unavailable',
    rows.length === 0
      ? 'Nothing was found for this artist and title. Correct them, then press Retry, or upload a file.'
      : `None of the ${rows.length} sources found matches: each is another song, or more than 10 s longer or shorter. Choose one yourself, or upload a file.`,
  );
}

async function fetchFirst(
  context: Context,
  candidates: readonly SourceCandidateRow[],
  folder: string,
  run: TrackRun,
): Promise<{ name: string; candidate: SourceCandidateRow }> {
  let failed: unknown;
  for (const candidate of candidates) {
    let startedMs = context.clock.monotonicMs();
    let reached = 0;
    const message = `fetching “${candidate.title}”`;
    await run.report({ progress: searchingPercent, message });
    try {
      await requirePublicCandidate(candidate.url, context.config.downloadToolSearch);
      const name = await fetchAudio(context, candidate.url, folder, {
        signal: run.signal,
        onProgress(fraction) {
          // After a lost connection the tool starts over, and so does the estimate.
          if (fraction < reached) startedMs = context.clock.monotonicMs();
          reached = fraction;
          void run.report({
            progress: searchingPercent + Math.floor(fraction * (fetchingPercent - searchingPercent)),
            message,
            eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, fraction),
          });
        },
        onQuiet: (seconds) =>
          void run.report({ message: `${message}: nothing has arrived for ${seconds} s`, eta_seconds: null }),
      });
      return { name, candidate };
    } catch (error) {
      if (!(error instanceof ToolFailure) || error.problem !== 'unavailable') throw error;
      failed = error;
    }
  }
  throw failed;
}
