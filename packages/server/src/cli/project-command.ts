import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { midiChords } from '@stem-studio/contract/endpoints/edit-export';
import { type ProjectMidiOptions, readMidiOfProject } from '../features/exports/index.ts';
import { type Command, CommandError, type Given, UsageError } from './command.ts';
import { withFolderBeside } from './folder-beside.ts';
import { type MidiOutput, midiOptions, readMidiOutput } from './midi-options.ts';
import { projectIdOf, projectNote } from './project-operand.ts';
import { withContext } from './with-context.ts';

interface MidiRequest extends ProjectMidiOptions, MidiOutput {
  readonly id: string;
}

function readRequest(given: Given): MidiRequest {
  const id = projectIdOf(given);
  const chords = midiChords.safeParse(given.text('chords'));
  if (!chords.success)
    throw new UsageError(`--chords must be ${midiChords.options.join(', ')} (got ${given.text('chords')})`);
  return { ...readMidiOutput(given), id, chords: chords.data };
}

/** Writes the notes, chords, beats and cue points of a project of the editor to a MIDI file. */
export const projectMidi: Command = {
  name: 'project midi',
  operands: ['PROJECT'],
  summary: 'Write a project of the editor to a MIDI file',
  options: {
    ...midiOptions,
    chords: {
      type: 'string',
      value: 'KIND',
      default: 'text',
      help: 'Chords as text, or as notes too: text, notes',
    },
  },
  notes: [projectNote],
  async run(given, terminal) {
    const request = readRequest(given);
    const exported = await withContext((context) => readMidiOfProject(context, request.id, request));
    if (!exported) throw new CommandError(`no project has the id ${request.id}`);
    await withFolderBeside(request.outPath, async (folder) => {
      const temporaryPath = join(folder, 'project.mid');
      await writeFile(temporaryPath, exported.bytes);
      await rename(temporaryPath, request.outPath);
    });
    terminal.print(request.outPath);
    return 0;
  },
};
