import { editBounds } from '../limits.ts';
import type { NewNote } from '../resources/lane-note.ts';
import type { TranscribedNote } from '../resources/notes.ts';
import type { Clip, ProjectState } from '../resources/project.ts';
import type { StemType } from '../resources/stem.ts';
import { endOf } from './clip-parts.ts';
import { warpMsAt, warpOf } from './warp.ts';

/** Part of a note that a clip plays, on the timeline. */
interface PlayedPart {
  readonly startMs: number;
  readonly endMs: number;
  readonly pitch: number;
  readonly velocity: number;
}

/** Greatest gap between two parts of a note that is one note: rounding of the borders of clips, in ms. */
const SAME_MS = 2;

/**
 * Returns the notes that a lane plays of a transcribed stem, as its clips cut, move, stretch, reverse and transpose it. A
 * note that continues from one clip to the next is one note. Pitches are rounded to semitones; those outside MIDI are
 * omitted.
 *
 * @param source stem that was transcribed; clips of other stems on the lane are ignored
 *
 * @spec Notes of lanes
 */
export function notesOnTimeline(
  state: ProjectState,
  laneId: string,
  source: StemType,
  notes: readonly TranscribedNote[],
): NewNote[] {
  const clips = (state.lanes.find(({ id }) => id === laneId)?.clips ?? []).filter(
    (clip) => clip.source === source,
  );
  const players = clips.map((clip) => ({ clip, toTimeline: timelineOf(state, clip) }));
  return notes
    .flatMap((note) =>
      joined(players.flatMap(({ clip, toTimeline }) => playedPart(note, clip, toTimeline) ?? [])),
    )
    .map(({ startMs, endMs, pitch, velocity }) => {
      const start_ms = Math.min(Math.round(startMs), editBounds.ms - 1);
      const length_ms = Math.max(1, Math.round(endMs) - start_ms);
      return { start_ms, length_ms, pitch, velocity };
    })
    .toSorted((one, other) => one.start_ms - other.start_ms || one.pitch - other.pitch);
}

/** Returns the function from times of the source to the timeline, both in ms. */
function timelineOf(state: ProjectState, clip: Clip): (sourceMs: number) => number {
  const warp = warpOf(state, clip);
  const lengthMs = state.sources.find(({ source }) => source === clip.source)?.length_ms ?? 0;
  return (sourceMs) => {
    const playedMs = clip.is_reversed ? lengthMs - sourceMs : sourceMs;
    return clip.start_ms + warpMsAt(warp, playedMs) - clip.from_ms;
  };
}

function playedPart(
  { start_ms, end_ms, pitch, velocity }: TranscribedNote,
  clip: Clip,
  toTimeline: (sourceMs: number) => number,
): PlayedPart | null {
  const [one, other] = [toTimeline(start_ms), toTimeline(end_ms)];
  const startMs = Math.max(clip.start_ms, Math.min(one, other));
  const endMs = Math.min(endOf(clip), Math.max(one, other));
  const played = Math.round(pitch + clip.semitones);
  if (endMs <= startMs || played < 0 || played > 127) return null;
  return { startMs, endMs, pitch: played, velocity };
}

/** Returns parts of one note with those that follow one another, or overlap in a crossfade, as one. */
function joined(parts: readonly PlayedPart[]): PlayedPart[] {
  const list: PlayedPart[] = [];
  for (const part of parts.toSorted((one, other) => one.startMs - other.startMs)) {
    const at = list.findLastIndex(
      ({ pitch, endMs }) => pitch === part.pitch && endMs >= part.startMs - SAME_MS,
    );
    const before = list[at];
    if (before) list[at] = { ...before, endMs: Math.max(before.endMs, part.endMs) };
    else list.push(part);
  }
  return list;
}
