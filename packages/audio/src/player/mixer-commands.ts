import type { StemMixerCommand, StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { effectiveGain, type PlayerRow, type PlayerState } from './player-state.ts';

/** Returns the faders of rows with their pan and equaliser. */
export function stripsOf(rows: readonly PlayerRow[]): { gains: number[]; tones: StemTone[] } {
  return {
    gains: rows.map((row) => effectiveGain(row, rows)),
    tones: rows.map(({ pan, eq: { low, mid, high } }) => ({
      pan,
      low: 10 ** (low / 20),
      mid: 10 ** (mid / 20),
      high: 10 ** (high / 20),
    })),
  };
}

/** Returns the active loop in sample frames, or null. */
export function loopFramesOf(
  { loop, isLooping }: PlayerState,
  sampleRateHz: number,
): { startFrame: number; endFrame: number } | null {
  if (!loop || !isLooping) return null;
  return {
    startFrame: Math.round(loop.startSeconds * sampleRateHz),
    endFrame: Math.round(loop.endSeconds * sampleRateHz),
  };
}

/** Returns the command that sets tempo and key. */
export function stretchCommand({ tempoPercent, keySemitones }: PlayerState): StemMixerCommand {
  return { type: 'tempo', rate: tempoPercent / 100, semitones: keySemitones, isKeyLocked: true };
}

/** Returns the commands that set metronome and count-in. */
export function metronomeCommands({ metronome, countInBars }: PlayerState): StemMixerCommand[] {
  return [
    { type: 'metronome', ...metronome },
    { type: 'count-in', bars: countInBars },
  ];
}
