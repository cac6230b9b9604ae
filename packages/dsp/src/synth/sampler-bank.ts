import { renderClap } from './instrument/clap.ts';
import { renderKick } from './instrument/kick.ts';
import { closedHat, crash, openHat, renderMetal } from './instrument/metal.ts';
import { renderPad } from './instrument/pad.ts';
import { renderRiser } from './instrument/riser.ts';
import { renderSnare } from './instrument/snare.ts';
import { createRandom, seedOf } from './random.ts';
import { monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from './stereo-samples.ts';

/** A sample of the default bank, at 44.1 kHz. */
export interface BankSample extends StereoSamples {
  sampleRateHz: number;
}

/** Names of the samples of the default bank, in the order of the pads. */
export const bankSampleNames = ['kick', 'snare', 'clap', 'hat', 'crash', 'stab', 'riser', 'groove'] as const;
/** One of {@link bankSampleNames}. */
export type BankSampleName = (typeof bankSampleNames)[number];

/** Tempo of the samples that have one. */
const BPM = 120;
const BEAT_SECONDS = 60 / BPM;
/** Length of riser and groove, in beats. */
export const BANK_LOOP_BEATS = 4;

const kickTone = { bodyHz: 48, sweepHz: 160, decaySeconds: 0.16, click: 0.5 };
const snareTone = { headHz: 185, decaySeconds: 0.13, wires: 0.7 };
const stabTone = {
  attackSeconds: 0.003,
  releaseSeconds: 0.12,
  cutoffHz: 4_200,
  cutoffEndHz: 900,
  detuneCents: 22,
  sustain: 0.3,
};

/** Renders a sample of the default bank by the instruments of the demo songs; the same samples on every machine. */
export function renderBankSample(name: BankSampleName): BankSample {
  const { left, right } = render(name);
  return { left, right, sampleRateHz: SAMPLE_RATE_HZ };
}

function render(name: BankSampleName): StereoSamples {
  const random = createRandom(seedOf('sampler', name));
  switch (name) {
    case 'kick':
      return renderKick(0.9, kickTone, random);
    case 'snare':
      return renderSnare(0.8, snareTone, random);
    case 'clap':
      return renderClap(0.8, random);
    case 'hat':
      return renderMetal(0.6, openHat, random);
    case 'crash':
      return renderMetal(0.8, crash, random);
    case 'stab':
      return renderStab();
    case 'riser':
      return renderRiser(BANK_LOOP_BEATS * BEAT_SECONDS, 300, 9_000, random);
    case 'groove':
      return renderGroove();
  }
}

/** A minor seventh chord of short saws. */
function renderStab(): StereoSamples {
  const notes = [57, 60, 64, 67].map((midi) => ({
    at: 0,
    gain: 0.5,
    samples: renderPad(midi, 0.28, 0.8, stabTone, createRandom(seedOf('sampler', 'stab', midi))),
  }));
  return sum(notes, Math.max(...notes.map(({ samples }) => samples.left.length)));
}

/** One bar of drums. */
function renderGroove(): StereoSamples {
  const hits = [
    ...[0, 1, 2, 3].map((beat) => ({ beat, gain: 0.8, kind: 'kick' })),
    ...[1, 3].map((beat) => ({ beat, gain: 0.5, kind: 'clap' })),
    ...[0.5, 1.5, 2.5, 3.5].map((beat) => ({ beat, gain: 0.4, kind: 'open' })),
    ...[0.25, 0.75, 1.75, 2.25, 3.25].map((beat) => ({ beat, gain: 0.3, kind: 'closed' })),
  ];
  const notes = hits.map(({ beat, gain, kind }) => ({
    at: samplesIn(beat * BEAT_SECONDS + 1 / SAMPLE_RATE_HZ) - 1,
    gain,
    samples: renderHit(kind, createRandom(seedOf('sampler', 'groove', beat, kind))),
  }));
  return sum(notes, BANK_LOOP_BEATS * samplesIn(BEAT_SECONDS));
}

function renderHit(kind: string, random: () => number): StereoSamples {
  if (kind === 'kick') return renderKick(0.9, kickTone, random);
  if (kind === 'clap') return renderClap(0.8, random);
  return renderMetal(0.7, kind === 'open' ? openHat : closedHat, random);
}

/** Sums notes; what exceeds `frames` is wrapped to the beginning, so that a loop has the tails of its last hits. */
function sum(
  notes: readonly { at: number; gain: number; samples: StereoSamples }[],
  frames: number,
): StereoSamples {
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (const { at, gain, samples } of notes) {
    for (let n = 0; n < samples.left.length; n++) {
      const frame = (at + n) % frames;
      left[frame]! += gain * samples.left[n]!;
      right[frame]! += gain * samples.right[n]!;
    }
  }
  return left.every((sample, n) => sample === right[n]) ? monoSamples(left) : { left, right };
}
