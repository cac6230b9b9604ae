import type { ClickLeader } from '../metronome/click-track.ts';

/** A press this much after a beat, in beats, belongs to that beat: it starts at once, at the position it should have. */
const LATE_BEATS = 1 / 8;
/** The same in seconds, for slow songs. */
const LATE_SECONDS = 0.06;

/** Whether pads can be started on beats of a deck. */
export function hasBeats(leader: ClickLeader | null): leader is ClickLeader {
  return leader !== null && leader.isSteady && leader.blockStep > 0 && leader.position.grid.hasTempo;
}

/**
 * Returns the sample of the present block at which the next beat or bar of a deck begins, with its fraction; −1 where
 * none does. After the last beat of the song it is 0: there is nothing to wait for.
 *
 * @param sampleRateHz of the deck's song
 * @param wantsBar whether it has to be the first beat of a bar
 */
export function beatInBlock(
  { blockFrame, blockStep, position }: ClickLeader,
  sampleRateHz: number,
  frames: number,
  wantsBar: boolean,
): number {
  const { grid, loop } = position;
  const end = loop?.endFrame ?? Number.POSITIVE_INFINITY;
  const untilEnd = blockFrame < end ? (end - blockFrame) / blockStep : Number.POSITIVE_INFINITY;
  const until = Math.min(frames, untilEnd);
  for (let beat = grid.nextBeat(blockFrame / sampleRateHz); beat < grid.count; beat++) {
    const at = (grid.secondsAt(beat) * sampleRateHz - blockFrame) / blockStep;
    if (at >= until) break;
    if (!wantsBar || grid.isDownbeat(beat)) return Math.max(0, at);
  }
  if (untilEnd < frames) {
    const start = loop?.startFrame ?? 0;
    for (let beat = grid.nextBeat(start / sampleRateHz); beat < grid.count; beat++) {
      const at = untilEnd + (grid.secondsAt(beat) * sampleRateHz - start) / blockStep;
      if (at >= frames) break;
      if (!wantsBar || grid.isDownbeat(beat)) return Math.max(untilEnd, at);
    }
  }
  return loop === null && grid.nextBeat(blockFrame / sampleRateHz) >= grid.count ? 0 : -1;
}

/**
 * Returns the seconds of output since the last beat or bar of a deck, where a press now still belongs to it; −1 where it
 * does not.
 */
export function lateSeconds(
  { blockFrame, blockStep, position }: ClickLeader,
  sampleRateHz: number,
  outputRateHz: number,
  wantsBar: boolean,
): number {
  const { grid } = position;
  const seconds = blockFrame / sampleRateHz;
  const beat = grid.beatAt(seconds);
  const whole = Math.floor(beat);
  if (whole < 0 || whole >= grid.count || beat - whole > LATE_BEATS) return -1;
  if (wantsBar && !grid.isDownbeat(whole)) return -1;
  const late = ((seconds - grid.secondsAt(whole)) * sampleRateHz) / blockStep / outputRateHz;
  return late <= LATE_SECONDS ? Math.max(0, late) : -1;
}
