import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { midiChords } from '@stem-studio/contract/endpoints/edit-export';
import { midiGrid, midiGrids } from '@stem-studio/contract/endpoints/exports';
import { uuid } from '@stem-studio/contract/ids';
import { type ProjectMidiOptions, readMidiOfProject } from '../features/exports/index.ts';
import { type Command, CommandError, type Given, UsageError } from './command.ts';
import { withContext } from './with-context.ts';

interface MidiRequest extends ProjectMidiOptions {
  readonly id: string;
  readonly outPath: string;
}

function readRequest(given: Given): MidiRequest {
  const id = uuid.safeParse(given.operands[0]);
  if (!id.success) throw new UsageError(`PROJECT must be the id of a project (got ${given.operands[0]})`);
  const out = given.text('out');
  if (out === null) throw new UsageError('--out must be given: the MIDI file that is written');
  const quantize = midiGrid.safeParse(given.text('quantize'));
  if (!quantize.success)
    throw new UsageError(`--quantize must be ${midiGrids.join(', ')} (got ${given.text('quantize')})`);
  const chords = midiChords.safeParse(given.text('chords'));
  if (!chords.success)
    throw new UsageError(`--chords must be ${midiChords.options.join(', ')} (got ${given.text('chords')})`);
  return { id: id.data, outPath: resolve(out), quantize: quantize.data, chords: chords.data };
}

/** Writes the notes, chords, beats and cue points of a project of the editor to a MIDI file. */
export const projectMidi: Command = {
  name: 'project midi',
  operands: ['PROJECT'],
  summary: 'Write a project of the editor to a MIDI file',
  options: {
    out: { type: 'string', value: 'FILE', help: 'The MIDI file that is written' },
    quantize: {
      type: 'string',
      value: 'Q',
      default: 'none',
      help: 'Move notes to the nearest 4, 8, 16, 32 (parts of a whole note), or none',
    },
    chords: {
      type: 'string',
      value: 'KIND',
      default: 'text',
      help: 'Chords as text, or as notes too: text, notes',
    },
  },
  notes: ['PROJECT is the id of a project, as GET /api/tracks/:id/projects lists it.'],
  async run(given, terminal) {
    const request = readRequest(given);
    const exported = await withContext((context) => readMidiOfProject(context, request.id, request));
    if (!exported) throw new CommandError(`no project has the id ${request.id}`);
    // In the output folder, so that an interrupted run leaves no partial file.
    const folder = await mkdtemp(join(dirname(request.outPath), '.studio-'));
    try {
      const temporaryPath = join(folder, 'project.mid');
      await writeFile(temporaryPath, exported.bytes);
      await rename(temporaryPath, request.outPath);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    terminal.print(request.outPath);
    return 0;
  },
};
