import { rename, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import type { TranscribedNote } from '@stem-studio/contract/resources/notes';
import { defaultNoteOptions, type NoteOptions } from '@stem-studio/dsp/notes/note-event';
import { analyzeFile } from '../features/analysis/standalone.ts';
import { midiOf, transcribeNotes } from '../features/notes/standalone.ts';
import { ThreadError } from '../platform/process/thread.ts';
import { type Command, CommandError, type Given, type Terminal, UsageError } from './command.ts';
import { withFolderBeside } from './folder-beside.ts';
import { type MidiOutput, midiOptions, readMidiOutput } from './midi-options.ts';
import { createProgress } from './progress.ts';
import { longestSeconds, readableAudio, requireFile } from './readable-audio.ts';

/** Fraction of the progress that beat detection takes, before note detection. */
const beatsFraction = 0.3;

/** Parsed options of the command line. */
interface NotesRequest extends MidiOutput {
  readonly isMonophonic: boolean;
  readonly options: NoteOptions;
}

function numberOf(
  given: Given,
  name: string,
  [least, most]: readonly [number, number],
  usual: number,
): number {
  const text = given.text(name);
  const value = text === null ? usual : Number(text);
  if (text?.trim() !== '' && value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be ${least} to ${most} (got ${text})`);
}

function readRequest(given: Given): NotesRequest {
  const { onsetThreshold, frameThreshold, minimumNoteSeconds } = defaultNoteOptions;
  return {
    ...readMidiOutput(given),
    isMonophonic: given.has('mono'),
    options: {
      onsetThreshold: numberOf(given, 'onset', [0.05, 0.95], onsetThreshold),
      frameThreshold: numberOf(given, 'frame', [0.05, 0.95], frameThreshold),
      minimumNoteSeconds:
        numberOf(given, 'shortest', [20, 2000], Math.round(minimumNoteSeconds * 1000)) / 1000,
    },
  };
}

/**
 * Detects beats and notes of a file and returns them as a MIDI file.
 *
 * @throws CommandError if the file is not audio
 */
async function transcribe(
  path: string,
  title: string,
  request: NotesRequest,
  { signal }: Terminal,
): Promise<{ readonly notes: readonly TranscribedNote[]; readonly bytes: Uint8Array }> {
  const progress = createProgress(process.stderr);
  const audio = { path, maxDurationSeconds: longestSeconds, signal };
  try {
    const grid = await analyzeFile({
      ...audio,
      features: ['tempo'],
      onProgress: (part) => progress.report(beatsFraction * part, 'finding beats'),
    });
    const notes = await transcribeNotes({
      ...audio,
      ...request.options,
      isMonophonic: request.isMonophonic,
      onProgress: (part) => progress.report(beatsFraction + (1 - beatsFraction) * part, 'transcribing notes'),
    });
    const { isMonophonic, quantize } = request;
    return { notes, bytes: midiOf({ title, source: 'mix', notes, isMonophonic, grid, quantize }) };
  } catch (error) {
    throw error instanceof ThreadError ? new CommandError(error.message) : error;
  } finally {
    progress.end();
  }
}

/** Writes the notes of a file as MIDI, without the service and the database. */
export const notes: Command = {
  name: 'notes',
  operands: ['FILE'],
  summary: 'Transcribe the notes of an audio file to a MIDI file',
  options: {
    out: midiOptions.out,
    mono: { type: 'boolean', help: 'One note at a time, with its bends: for vocals or a bass' },
    quantize: midiOptions.quantize,
    onset: {
      type: 'string',
      value: 'T',
      help: 'How clearly a note must begin, 0.05 to 0.95 (0.5 unless given)',
    },
    frame: { type: 'string', value: 'T', help: 'How strong it must stay to continue (0.3 unless given)' },
    shortest: { type: 'string', value: 'MS', help: 'Leave out shorter notes, 20 to 2000 (128 unless given)' },
  },
  notes: [
    'Best of a stem: separate first. Drums have no pitch. The bars of the MIDI file are those detected in the audio.',
    'Needs neither service nor database. M4A, AAC and the like are decoded by ffmpeg (FFMPEG_PATH), all other',
    'formats without a program.',
  ],
  async run(given, terminal) {
    const request = readRequest(given);
    const filePath = resolve(given.operands[0] ?? '');
    await requireFile(filePath);
    return withFolderBeside(request.outPath, async (folder) => {
      const title = basename(filePath, extname(filePath));
      const path = await readableAudio(filePath, folder, terminal);
      const { notes: detected, bytes } = await transcribe(path, title, request, terminal);
      const temporaryPath = join(folder, 'notes.mid');
      await writeFile(temporaryPath, bytes);
      await rename(temporaryPath, request.outPath);
      terminal.log(`${detected.length} ${detected.length === 1 ? 'note' : 'notes'}`);
      terminal.print(request.outPath);
      return 0;
    });
  },
};
