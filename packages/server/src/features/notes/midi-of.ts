import type { MidiGrid } from '@stem-studio/contract/endpoints/exports';
import type { NoteSource, TranscribedNote } from '@stem-studio/contract/resources/notes';
import { quantizeStepOf } from '@stem-studio/dsp/notes/midi/quantize';
import { createTempoMap } from '@stem-studio/dsp/notes/midi/tempo-map';
import { writeMidiFile } from '@stem-studio/dsp/notes/midi/write-midi';
import { beatLookupOf } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { TrackGrid } from '../analysis/index.ts';

/** General MIDI programs by source, from 0. Sources without an entry use the piano. */
const programs: Readonly<Record<string, number>> = {
  bass: 33,
  vocals: 53,
  backing_vocals: 52,
  guitar: 25,
  acoustic_guitar: 25,
  electric_guitar: 27,
  strings: 48,
  wind: 73,
  synth: 81,
};

/** Returns the General MIDI program, from 0, of a stem type or of the whole song (`mix`). */
export const programOf = (source: string): number =>
  Object.hasOwn(programs, source) ? (programs[source] ?? 0) : 0;

/** Content of a MIDI file. */
export interface MidiRequest {
  readonly title: string;
  readonly source: NoteSource;
  readonly notes: readonly TranscribedNote[];
  readonly isMonophonic: boolean;
  /** Beats of the song; null if none were detected. */
  readonly grid: TrackGrid | null;
  readonly quantize: MidiGrid;
}

/** Returns notes as a Standard MIDI File whose bars match those of the song. */
export function midiOf({ title, source, notes, isMonophonic, grid, quantize }: MidiRequest): Uint8Array {
  return writeMidiFile({
    title,
    part: source === 'mix' ? 'song' : source.replaceAll('_', ' '),
    program: programOf(source),
    notes: notes.map(({ start_ms, end_ms, pitch, velocity, bends_cents }) => ({
      startSeconds: start_ms / 1000,
      endSeconds: end_ms / 1000,
      pitch,
      velocity,
      bendsCents: bends_cents ?? [],
    })),
    map: createTempoMap(grid && beatLookupOf(grid)),
    quantize: quantizeStepOf(quantize),
    hasBends: isMonophonic,
  });
}
