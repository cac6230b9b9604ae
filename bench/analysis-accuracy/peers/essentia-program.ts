// `node essentia-program.ts FOLDER FILE [everything]`: prints the analysis of a WAV of 44,100 Hz by essentia.js,
// installed in FOLDER.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A vector in the library's own memory. */
interface Vector {
  readonly isVector: true;
}

interface Library {
  arrayToVector(samples: Float32Array): Vector;
  vectorToArray(vector: Vector): Float32Array;
  RhythmExtractor2013(signal: Vector): { bpm: number; ticks: Vector };
  KeyExtractor(audio: Vector): { key: string; scale: string };
  FrameGenerator(
    samples: Float32Array,
    frameSize: number,
    hopSize: number,
  ): { size(): number; get(index: number): Vector };
  Windowing(frame: Vector, normalized: boolean, size: number, type: string): { frame: Vector };
  Spectrum(frame: Vector, size: number): { spectrum: Vector };
  MFCC(spectrum: Vector, dctType: number, high: number, inputSize: number): { mfcc: Vector };
  Centroid(array: Vector, range: number): unknown;
  RollOff(spectrum: Vector): unknown;
  ZeroCrossingRate(signal: Vector): unknown;
  SpectralContrast(spectrum: Vector, frameSize: number): unknown;
  SpectralPeaks(
    spectrum: Vector,
    threshold: number,
    highest: number,
    most: number,
    lowest: number,
    order: string,
  ): { frequencies: Vector; magnitudes: Vector };
  HPCP(frequencies: Vector, magnitudes: Vector): { hpcp: Vector };
  ChordsDetection(pcp: unknown, hopSize: number): unknown;
  module: { VectorVectorFloat: new () => { push_back(vector: Vector): void } };
}

const FRAME = 4_096;
const HOP = 2_048;

function samplesOf(file: string): Float32Array {
  const bytes = readFileSync(file);
  const start = bytes.indexOf('data') + 8;
  return Float32Array.from(
    { length: Math.floor((bytes.length - start) / 2) },
    (_, at) => bytes.readInt16LE(start + 2 * at) / 32_768,
  );
}

/** Computes the frame-wise features of this project's analysis, and chords from its chroma. */
function describeFrames(library: Library, samples: Float32Array): void {
  const frames = library.FrameGenerator(samples, FRAME, HOP);
  const chroma = new library.module.VectorVectorFloat();
  for (let index = 0; index < frames.size(); index++) {
    const frame = frames.get(index);
    library.ZeroCrossingRate(frame);
    const { spectrum } = library.Spectrum(library.Windowing(frame, true, FRAME, 'hann').frame, FRAME);
    library.MFCC(spectrum, 2, 11_000, FRAME / 2 + 1);
    library.Centroid(spectrum, 22_050);
    library.RollOff(spectrum);
    library.SpectralContrast(spectrum, FRAME);
    const { frequencies, magnitudes } = library.SpectralPeaks(spectrum, 0, 5_000, 60, 40, 'magnitude');
    chroma.push_back(library.HPCP(frequencies, magnitudes).hpcp);
  }
  library.ChordsDetection(chroma, HOP);
}

const [folder = '', file = '', what = ''] = process.argv.slice(2);
const { Essentia, EssentiaWASM } = createRequire(path.join(path.resolve(folder), 'package.json'))(
  'essentia.js',
) as { Essentia: new (module: unknown) => Library; EssentiaWASM: unknown };
const library = new Essentia(EssentiaWASM);
const samples = samplesOf(file);
// Loading is not measured.
const before = process.cpuUsage();
const signal = library.arrayToVector(samples);
const { bpm, ticks } = library.RhythmExtractor2013(signal);
const { key, scale } = library.KeyExtractor(signal);
if (what === 'everything') describeFrames(library, samples);
const { user, system } = process.cpuUsage(before);
const detected = { tempo: bpm, beats: [...library.vectorToArray(ticks)], key: `${key} ${scale}` };
process.stdout.write(`${JSON.stringify({ ...detected, cpu_seconds: (user + system) / 1e6 })}\n`);
