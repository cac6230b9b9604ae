import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong } from '@stem-studio/dsp/testing/audio-file';
import { EditRendering } from '@stem-studio/server/features/exports/edit/edit-rendering';
import { writeEdit } from '@stem-studio/server/features/exports/edit/write-edit';
import { writeAudioFile } from '@stem-studio/server/features/exports/write-audio-file';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const stems: readonly StemType[] = ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'];
const sampleRate = 44_100;
const edits = 50;

/** Writes a stem that repeats a second of tones and clicks. */
async function writeStem(filePath: string, minutes: number): Promise<void> {
  const second = createTestSong(sampleRate, sampleRate).map((one) => one.map((sample) => sample / 6));
  async function* blocks() {
    for (let n = 0; n < 60 * minutes; n++) yield second;
  }
  await writeAudioFile(createWavEncoder({ sampleRate, channels: 2, bitDepth: '16' }), blocks(), filePath);
}

/** Returns a project with fifty edits: cuts, fades, gains, copies and moves, spread over the song. */
function editedProject(minutes: number): ProjectState {
  const step = Math.floor((60_000 * minutes) / (edits + 1));
  const kinds: readonly ((at: number, stem: StemType) => Edit)[] = [
    (at, stem) => ({ operation: 'cut', params: { start_ms: at, end_ms: at + 500, stem_type: stem } }),
    (at) => ({ operation: 'paste', params: { to_ms: at } }),
    (at, stem) => ({
      operation: 'fade_in',
      params: { start_ms: at, end_ms: at + 1000, stem_type: stem, curve: 'equal_power' },
    }),
    (at, stem) => ({
      operation: 'volume',
      params: { start_ms: at, end_ms: at + 2000, stem_type: stem, value: 70 },
    }),
    (at) => ({ operation: 'split', params: { start_ms: at } }),
  ];
  let state = createProjectState(stems.map((stem_type) => ({ stem_type, duration_ms: 60_000 * minutes })));
  for (let index = 0; index < edits; index++) {
    const kind = kinds[index % kinds.length];
    const edit = kind?.(step * (index + 1), stems[index % stems.length] ?? 'other');
    if (edit) state = applyEdit(state, { ...edit, id: `edit-${index}` });
  }
  return state;
}

/** Adds operations to a state. */
function withEdits(state: ProjectState, added: readonly Edit[]): ProjectState {
  return added.reduce<ProjectState>(
    (before, edit, index) => applyEdit(before, { ...edit, id: `more-${index}` }),
    state,
  );
}

const effects: readonly Edit[] = [
  { operation: 'eq', params: { low_db: 2, high_db: -3 } },
  {
    operation: 'compressor',
    params: { value: { threshold_db: -24, ratio: 3, attack_ms: 10, release_ms: 120, makeup_db: 3 } },
  },
  { operation: 'reverb_send', params: { value: 20 } },
];
const warped: Edit = {
  operation: 'warp',
  params: { points: Array.from({ length: 400 }, (_, beat) => ({ from_ms: 500 * beat, to_ms: 480 * beat })) },
};

async function measure({ log }: BenchOptions): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'edit-export-'));
  const rows: BenchRow[] = [];
  try {
    const open = async (minutes: number) => {
      const sources = stems.map((source) => ({
        source,
        path: path.join(folder, `${source}-${minutes}.wav`),
      }));
      for (const source of sources) await writeStem(source.path, minutes);
      return EditRendering.open(sources);
    };
    const render = async (rendering: EditRendering, state: ProjectState, minutes: number, name: string) => {
      const used = process.cpuUsage();
      const started = performance.now();
      const output = {
        path: path.join(folder, 'edit.wav'),
        format: 'wav',
        bitDepth: '24',
        normalize: 'none',
      } as const;
      await writeEdit(rendering, state, null, output);
      const seconds = (performance.now() - started) / 1000;
      const { user, system } = process.cpuUsage(used);
      rows.push(
        { what: `${name}: speed`, value: (60 * minutes) / seconds, unit: '×' },
        {
          what: `${name}: part of a core at playback`,
          value: (user + system) / 1e4 / (60 * minutes),
          unit: '%',
        },
      );
      log(`${name}: ${seconds.toFixed(2)} s`);
    };
    const short = await open(4);
    const state = editedProject(4);
    await render(short, state, 4, 'fifty edits, 4 minutes');
    const memoryMb = process.resourceUsage().maxRSS / 1024;
    await render(short, withEdits(state, effects), 4, 'with equaliser, compressor and reverb on six lanes');
    await render(short, withEdits(state, [warped]), 4, 'with six warped lanes');
    await short.close();
    const memoryBefore = process.resourceUsage().maxRSS / 1024;
    const long = await open(16);
    await render(long, editedProject(16), 16, 'fifty edits, 16 minutes');
    await long.close();
    rows.push(
      { what: 'peak memory after 4 minutes of six stems', value: memoryMb, unit: 'MB' },
      {
        what: 'more after 16 minutes',
        value: process.resourceUsage().maxRSS / 1024 - memoryBefore,
        unit: 'MB',
      },
    );
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the export of a project: six stems with fifty edits, with effects, and warped. */
export const bench: Bench = {
  name: 'edit-export',
  about: 'Speed and memory of rendering a project of the editor, and what its lanes cost while they play.',
  run: measure,
};
