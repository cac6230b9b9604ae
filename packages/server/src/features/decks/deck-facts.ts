import type { DeckFacts } from '@stem-studio/contract/decks/apply-deck-message';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckBounds } from '@stem-studio/contract/limits';
import type { Cue } from '@stem-studio/contract/resources/cue';
import type { DeckSessionState, HotCue } from '@stem-studio/contract/resources/deck-session';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findLoudness, findNewestGrid } from '../analysis/index.ts';
import { listShownCues } from '../cues/index.ts';
import { listStems, ownsStems } from '../processing/index.ts';
import { findOwnedTrack } from '../tracks/index.ts';

/** Number of a deck's pads that are filled when a track is loaded. */
const firstPads = 8;

/**
 * Loads the stored data of the track or stems that a message loads. Throws `NOT_FOUND` if they are not the caller's,
 * or not of the track on that deck; `TRACK_NOT_DOWNLOADED`.
 */
export async function factsOf(
  tx: Tx,
  viewer: Viewer,
  { decks, mixer }: DeckSessionState,
  message: DeckMessage,
): Promise<Omit<DeckFacts, 'now'>> {
  if (message.event === 'load_track' && message.track_id !== null)
    return { track: await trackFacts(tx, viewer, message.track_id, mixer.is_loading_stems) };
  if (message.event === 'load_stems' && message.processing_job_id !== null)
    return { stems: await stemFacts(tx, viewer, decks[message.deck].track_id, message.processing_job_id) };
  return {};
}

async function trackFacts(
  tx: Tx,
  viewer: Viewer,
  trackId: string,
  isLoadingStems: boolean,
): Promise<NonNullable<DeckFacts['track']>> {
  const track = await findOwnedTrack(tx, viewer, trackId);
  if (!track.audio) {
    throw stateForbids(
      'TRACK_NOT_DOWNLOADED',
      'the track has no audio yet: wait for its download, or retry that',
    );
  }
  return {
    track_bpm: await tempoOf(tx, track),
    duration_ms: Math.min(track.duration_ms, deckBounds.ms),
    hot_cues: hotCuesOf(await listShownCues(tx, track.id)),
    ...(await findLoudness(tx, track.id)),
    separation: isLoadingStems ? await separationOf(tx, track.stems_job_id) : null,
  };
}

/**
 * Returns the tempo of a track in beats per minute; null if unknown. The tempo of its beats takes precedence over the
 * one set by the owner.
 */
export async function tempoOf(
  tx: Tx,
  track: { readonly id: string; readonly duration_ms: number; readonly bpm: number | null },
): Promise<number | null> {
  const grid = await findNewestGrid(tx, track);
  return grid?.tempo || track.bpm || null;
}

async function separationOf(
  tx: Tx,
  jobId: string | null,
): Promise<(NonNullable<DeckFacts['track']>['separation'] & object) | null> {
  const stems = jobId === null ? [] : await listStems(tx, jobId);
  if (jobId === null || stems.length === 0) return null;
  return { processing_job_id: jobId, stems: stems.map((stem) => stem.stem_type) };
}

/** Returns the cue points for a deck's pads: those set by the owner first, then by usefulness; sorted by position. */
function hotCuesOf(cues: readonly Cue[]): HotCue[] {
  const worth = (cue: Cue) => (cue.source === 'manual' ? 0 : (cue.rank ?? Number.POSITIVE_INFINITY));
  return cues
    .toSorted((one, other) => worth(one) - worth(other))
    .slice(0, firstPads)
    .toSorted((one, other) => one.position_ms - other.position_ms)
    .map((cue, slot) => ({
      slot,
      position_ms: Math.min(cue.position_ms, deckBounds.ms),
      end_ms: null,
      label: cue.label.slice(0, deckBounds.label).toWellFormed(),
      color: cue.color,
      cue_point_id: cue.id,
    }));
}

async function stemFacts(
  tx: Tx,
  viewer: Viewer,
  trackId: string | null,
  jobId: string,
): Promise<NonNullable<DeckFacts['stems']>> {
  const stems = await listStems(tx, jobId);
  const isOfTrack = stems.length > 0 && stems.every((stem) => stem.track_id === trackId);
  if (!isOfTrack || !(await ownsStems(tx, viewer.id, jobId)))
    throw notFound('separation of the track on this deck');
  return stems.map((stem) => stem.stem_type);
}
