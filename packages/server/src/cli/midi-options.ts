import { type MidiGrid, midiGrid, midiGrids } from '@stem-studio/contract/endpoints/exports';
import { type Given, UsageError } from './command.ts';
import { outPathOf } from './out-path.ts';

/** Options of the commands that write a MIDI file. */
export const midiOptions = {
  out: { type: 'string', value: 'FILE', help: 'The MIDI file that is written' },
  quantize: {
    type: 'string',
    value: 'Q',
    default: 'none',
    help: 'Move notes to the nearest 4, 8, 16, 32 (parts of a whole note), or none',
  },
} as const;

/** Values of {@link midiOptions}. */
export interface MidiOutput {
  readonly outPath: string;
  readonly quantize: MidiGrid;
}

/** Returns the values of {@link midiOptions}. Throws `UsageError`. */
export function readMidiOutput(given: Given): MidiOutput {
  const outPath = outPathOf(given, 'the MIDI file that is written');
  const quantize = midiGrid.safeParse(given.text('quantize'));
  if (!quantize.success)
    throw new UsageError(`--quantize must be ${midiGrids.join(', ')} (got ${given.text('quantize')})`);
  return { outPath, quantize: quantize.data };
}
