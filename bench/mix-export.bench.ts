import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileMix } from '@stem-studio/contract/resources/mix';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong } from '@stem-studio/dsp/testing/audio-file';
import { renderFileMix } from '@stem-studio/server/features/exports/standalone';
import { writeAudioFile } from '@stem-studio/server/features/exports/write-audio-file';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';
import { processorSecondsOf, residentPeakMb } from './separation/engine-run.ts';

const stems = ['vocals', 'drums', 'bass', 'other'] as const;
const minutes = 4;
const sampleRate = 44_100;
const mixes = {
  'as recorded, WAV': { format: 'wav' },
  'tempo 90 %, key −2, WAV': { format: 'wav', tempo: 90, key: -2 },
  'tempo 90 %, key −2, MP3': { format: 'mp3', tempo: 90, key: -2 },
} as const;

/** Writes a stem of {@link minutes} that repeats a second of tones and clicks. */
async function writeStem(filePath: string): Promise<void> {
  const second = createTestSong(sampleRate, sampleRate).map((one) => one.map((sample) => sample / 4));
  async function* blocks() {
    for (let n = 0; n < 60 * minutes; n++) yield second;
  }
  await writeAudioFile(createWavEncoder({ sampleRate, channels: 2, bitDepth: '16' }), blocks(), filePath);
}

/** The process that renders: the only child of the benchmark, which stays for a while after its work. */
function childPid(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const [pid = ''] = children.trim().split(' ').slice(-1);
  return Number(pid);
}

async function measure({ log }: BenchOptions): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mix-export-'));
  try {
    const paths = new Map(stems.map((stem) => [stem, path.join(folder, `${stem}.wav`)]));
    for (const filePath of paths.values()) await writeStem(filePath);
    const rows: BenchRow[] = [];
    let before = 0;
    for (const [name, changes] of Object.entries(mixes)) {
      const eq = { low: 2, mid: 0, high: -3 };
      const settings = fileMix.parse({
        rows: stems.map((source) => ({ source, volume: 0.8, pan: 0.1, eq })),
        ...changes,
      });
      const started = performance.now();
      await renderFileMix({
        settings,
        paths,
        outputPath: path.join(folder, `mix.${settings.format}`),
        title: 'song',
        maxDurationSeconds: 10_800,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      const seconds = (performance.now() - started) / 1000;
      const total = processorSecondsOf(childPid()) ?? 0;
      const song = 60 * minutes;
      rows.push(
        { what: `${name}: speed`, value: song / seconds, unit: '×' },
        { what: `${name}: speed, by the time of one core`, value: song / (total - before), unit: '×' },
      );
      log(`${name}: ${seconds.toFixed(1)} s, ${(total - before).toFixed(1)} s of processor time`);
      before = total;
    }
    rows.push({ what: 'peak memory of all of them', value: residentPeakMb(childPid()) ?? 0, unit: 'MB' });
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the export of a mix: four stems of four minutes with faders, pan and equaliser. */
export const bench: Bench = {
  name: 'mix-export',
  about:
    'Speed and memory of rendering a mix of four stems into a file, as recorded and with tempo and key changed.',
  run: measure,
};
