import { defaultNoteOptions } from '@stem-studio/dsp/notes/note-event';
import { createNoteListener, type NoteMap } from '@stem-studio/dsp/notes/note-map';
import { notesIn } from '@stem-studio/dsp/notes/notes-in';
import { createResampler } from '@stem-studio/dsp/signal/resample';
import type { DemoSong } from '@stem-studio/dsp/synth/demo-song';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';
import { mixOf } from '@stem-studio/dsp/synth/render-arrangement';
import { type StemName, scoreOf, type WrittenNote } from '@stem-studio/dsp/synth/sequence/arrangement';
import { Score } from './analysis-accuracy/score.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { type BasicPitchPeer, findBasicPitch } from './notes/basic-pitch.ts';
import { type ComparedNote, noteScore } from './notes/note-score.ts';
import { joined } from './separation/pieces.ts';

const SAMPLE_RATE = 44_100;
const NOTE_RATE = 22_050;
/** Length of each song: enough for a verse and a chorus. */
const SECONDS = 60;
/** Written notes of one pitch within this time cannot be distinguished: a doubled part. */
const DOUBLED_SECONDS = 0.05;

/** Audio to transcribe, its written notes, and whether it is monophonic. */
interface Part {
  readonly name: string;
  readonly samples: readonly Float32Array[];
  readonly written: readonly ComparedNote[];
  readonly isMonophonic: boolean;
}

/** Measures the accuracy and speed of note transcription. */
export const bench: Bench = {
  name: 'notes',
  about: `notes of the first ${SECONDS} s of the demo songs against their scores, beside basic-pitch where BASIC_PITCH_DIR names it`,
  run: async ({ dataDir, log }: BenchOptions): Promise<BenchRow[]> => {
    if (dataDir !== null) log('notes: a data folder has no scores, so only the demo songs are measured');
    const peer = await findBasicPitch();
    const scores = new Map<string, { ours: Score; offsets: Score; theirs: Score }>();
    const seconds = { audio: 0, ours: 0, theirs: 0 };
    for (const song of demoSongs) {
      for (const part of partsOf(song)) {
        const score = scores.get(part.name) ?? {
          ours: new Score(),
          offsets: new Score(),
          theirs: new Score(),
        };
        scores.set(part.name, score);
        const began = process.cpuUsage();
        const map = await listen(part.samples);
        const found = notesIn(map, { ...defaultNoteOptions, isMonophonic: part.isMonophonic });
        seconds.ours += secondsSince(began);
        seconds.audio += (part.samples[0]?.length ?? 0) / SAMPLE_RATE;
        const { precision, recall, f } = noteScore(part.written, found);
        score.ours.add(f);
        score.offsets.add(noteScore(part.written, found, true).f);
        const theirs = peer && (await timed(peer, part, seconds));
        if (theirs) score.theirs.add(noteScore(part.written, theirs).f);
        const figures = `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F ${f.toFixed(3)}`;
        log(
          `${song.title}, ${part.name}: ${part.written.length} notes, detected ${found.length}, ${figures}`,
        );
      }
    }
    return [...rowsOf(scores, peer), speedRow(seconds, peer)];
  },
};

async function timed(peer: BasicPitchPeer, part: Part, seconds: { theirs: number }): Promise<ComparedNote[]> {
  const began = process.cpuUsage();
  const resampler = createResampler({
    fromRate: SAMPLE_RATE,
    toRate: NOTE_RATE,
    channels: 1,
    quality: 'fast',
  });
  const [left = new Float32Array(0), right = left] = part.samples;
  const mono = left.map((value, at) => (value + (right[at] ?? 0)) / 2);
  const blocks = [...resampler.process([mono]), ...resampler.flush()];
  const samples = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  blocks.reduce((at, block) => {
    samples.set(block, at);
    return at + block.length;
  }, 0);
  const notes = await peer.transcribe(samples);
  seconds.theirs += secondsSince(began);
  return notes;
}

/** Returns the processor time of this process in seconds, which other processes do not affect. */
function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

async function listen(samples: readonly Float32Array[]): Promise<NoteMap> {
  const listener = await createNoteListener({ sampleRate: SAMPLE_RATE, channels: samples.length });
  listener.push(samples);
  return listener.finish();
}

function partsOf(song: DemoSong): Part[] {
  const arrangement = song.arrange();
  const blocks = [...renderDemoSong(song, SECONDS)];
  const samplesOf = (stem: StemName): Float32Array[] =>
    [0, 1].map((side) => joined(blocks.map((block) => block[stem][side] ?? new Float32Array(0))));
  const mix = [0, 1].map((side) => joined(blocks.map((block) => mixOf(block)[side] ?? new Float32Array(0))));
  const score = (stem: StemName): WrittenNote[] => scoreOf(arrangement, stem);
  const leadVoice = arrangement.parts
    .filter(({ name }) => name === 'lead voice')
    .flatMap(({ events }) => events.flatMap(({ notes }) => notes ?? []));
  const all = [...score('vocals'), ...score('bass'), ...score('other')];
  const part = (
    name: string,
    samples: Float32Array[],
    written: readonly WrittenNote[],
    isMonophonic = false,
  ) => ({
    name,
    samples,
    written: detectableOf(written),
    isMonophonic,
  });
  return [
    part('bass', samplesOf('bass'), score('bass'), true),
    part('vocals, the lead voice', samplesOf('vocals'), leadVoice, true),
    part('vocals, all voices', samplesOf('vocals'), score('vocals')),
    part('other', samplesOf('other'), score('other')),
    part('whole song', mix, all),
  ];
}

/** Returns the written notes that can be detected: those that begin in time, doubled ones once. */
function detectableOf(written: readonly WrittenNote[]): ComparedNote[] {
  const kept: ComparedNote[] = [];
  for (const { startSeconds, durationSeconds, midi } of written) {
    const isDoubled = kept.some(
      (note) =>
        Math.round(note.pitch) === Math.round(midi) &&
        Math.abs(note.startSeconds - startSeconds) < DOUBLED_SECONDS,
    );
    if (isDoubled || startSeconds >= SECONDS) continue;
    kept.push({ startSeconds, endSeconds: startSeconds + durationSeconds, pitch: midi });
  }
  return kept;
}

function rowsOf(
  scores: ReadonlyMap<string, { ours: Score; offsets: Score; theirs: Score }>,
  peer: BasicPitchPeer | null,
): BenchRow[] {
  return [...scores].flatMap(([name, { ours, offsets, theirs }]): BenchRow[] => [
    {
      what: `${name}: F of notes, onset within 50 ms`,
      value: Math.round(1000 * ours.mean) / 1000,
      unit: '',
      against: peer ? `${peer.name} ${theirs.mean.toFixed(3)}` : 'basic-pitch: not installed',
      ...(peer && { ratio: ours.mean / theirs.mean }),
    },
    {
      what: `${name}: F where the ends agree too`,
      value: Math.round(1000 * offsets.mean) / 1000,
      unit: '',
    },
  ]);
}

function speedRow(
  seconds: { readonly audio: number; readonly ours: number; readonly theirs: number },
  peer: BasicPitchPeer | null,
): BenchRow {
  const ours = seconds.audio / seconds.ours;
  const theirs = seconds.audio / seconds.theirs;
  return {
    what: 'speed, by the time of one core',
    value: Math.round(10 * ours) / 10,
    unit: '×',
    bar: '≥ 10 × realtime',
    against: peer ? `${peer.name} ${theirs.toFixed(1)} ×` : 'basic-pitch: not installed',
    ...(peer && { ratio: ours / theirs }),
  };
}
