// `node training/measure-rhythm.ts SONGS CACHE` measures the rhythm of songs for `fit-rhythm-weights.ts`: onset strength,
// activations of the beat network and chroma. A song is a WAV file and a JSON file with its beats, as
// `invent_beat_songs.py` writes them. Songs that are in the cache are skipped.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serialize } from 'node:v8';
import { createMonoStream } from '../packages/dsp/src/plan/mono-stream.ts';
import { createBeatNetworkKernel, loadBeatNetwork } from '../packages/dsp/src/rhythm/beat-network.ts';
import { createOnsetKernel } from '../packages/dsp/src/rhythm/onset-strength.ts';
import { decodeFile } from '../packages/dsp/src/testing/audio-file.ts';
import { estimateTuning, foldToChroma } from '../packages/dsp/src/tonal/chroma.ts';
import { createPitchKernel } from '../packages/dsp/src/tonal/pitch-kernel.ts';
import { loadFft } from '../packages/dsp/src/transform/fft.ts';

const SAMPLE_RATE = 22_050;
const BLOCK = 16_384;

/** Returns everything that the detection of beats reads, in the form that the analysis computes. */
async function measure(file: string): Promise<object> {
  const { info, samples } = await decodeFile(readFileSync(file), {}, 1 << 18);
  const stream = createMonoStream({
    fromRate: info.sample_rate,
    toRate: SAMPLE_RATE,
    channels: info.channels,
  });
  const kernels = [
    createOnsetKernel(),
    createBeatNetworkKernel(),
    createPitchKernel({ chroma: true }),
  ] as const;
  const feed = (mono: Float32Array): void => {
    for (const kernel of kernels) kernel.push(mono);
  };
  const length = samples[0]?.length ?? 0;
  for (let at = 0; at < length; at += BLOCK)
    feed(stream.push(stream.clean(samples.map((channel) => channel.subarray(at, at + BLOCK)))));
  feed(stream.flush());
  const [onsets, activations, pitches] = [kernels[0].finish(), kernels[1].finish(), kernels[2].finish()];
  for (const kernel of kernels) kernel.dispose();
  const tuning = estimateTuning(pitches.columns);
  return {
    onsets,
    activations,
    chroma: pitches.columns.map((column) => foldToChroma(column, tuning)),
    durationSeconds: length / info.sample_rate,
  };
}

await Promise.all([loadFft(), loadBeatNetwork()]);
const [songs, cache] = process.argv.slice(2);
if (!songs || !cache) throw new Error('name the folder of the songs and that of the cache');
mkdirSync(cache, { recursive: true });
for (const name of globSync('*.{wav,ogg,flac,mp3}', { cwd: songs }).sort()) {
  const base = path.parse(name).name;
  const target = path.join(cache, `${base}.bin`);
  const truth = path.join(songs, `${base}.json`);
  if (existsSync(target) || (name.endsWith('.wav') && !existsSync(truth))) continue;
  const measured = await measure(path.join(songs, name));
  const song = existsSync(truth) ? JSON.parse(readFileSync(truth, 'utf8')) : null;
  writeFileSync(`${target}.part`, serialize({ ...measured, name: base, song }));
  renameSync(`${target}.part`, target);
  process.stdout.write(`${base}\n`);
}
