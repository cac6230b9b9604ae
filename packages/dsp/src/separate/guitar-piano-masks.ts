import { logBandEdges } from './band-features.ts';
import type { BufferPool } from './buffer-pool.ts';
import { type MaskNetwork, maskCount, networkBands } from './mask-network.ts';
import { diffuse, panPositionCount, panPositionsOf } from './pan-positions.ts';
import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';

/** Edges of the network's bands in bins: 54 Hz to 16 kHz. */
const bandEdges = logBandEdges(5, 1500, networkBands);
const firstBin = bandEdges[0] as number;
const bandOfBin = Uint8Array.from({ length: binCount }, (_, k) => {
  const above = bandEdges.findIndex((edge) => edge > k);
  return above < 0 ? networkBands - 1 : Math.max(0, above - 1);
});
const cellsPerFrame = networkBands * (panPositionCount + 1);

/** Softmax temperature: a confident mask of the wrong instrument costs more than it gains. */
const temperature = 1.5;
/** A pan position with a smaller part of the energy is not estimated separately. */
const minimumEnergyPart = 0.01;
/** Lower bound of the mean mask at a pan position. */
const minimumMask = 1e-3;

/** Masks of guitar and piano, 0 to 1 for each bin of `other`. Arrays of the pool. */
export interface GuitarPianoMasks {
  readonly guitar: Float32Array;
  readonly piano: Float32Array;
  /** Log odds that guitar and piano are present: the maximum over the whole and all pan positions. */
  readonly presence: { readonly guitar: number; readonly piano: number };
}

/**
 * Estimates the masks of guitar and piano in the residual of the other stems.
 *
 * ```
 * other ┬→ bands of each frame ──────────────→ network → logits ┐
 *       └→ the same for each pan position → network → weight of each position ┴→ mask of each bin
 * ```
 *
 * Instruments keep their pan position: what the network estimates at one position, where an instrument is nearly alone,
 * weights the masks of all bins there.
 *
 * @param other spectrogram of the residual of vocals, drums and bass
 * @param mixtureEnergies {@link networkBandEnergies} of the whole, of the same length
 */
export function estimateGuitarAndPiano(
  other: StereoSpectrogram,
  mixtureEnergies: Float32Array,
  network: MaskNetwork,
  pool: BufferPool,
  report: (part: number) => void,
): GuitarPianoMasks {
  const pans = panPositionsOf(other);
  const cells = cellEnergies(other, pans, pool);
  const parts = partsOf(cells, mixtureEnergies);
  report(0.2);
  const { logits, presence: wholePresence } = network.estimate(energiesAt(cells, 0, diffuse), parts);
  report(0.3);
  const panEstimates = estimateAtPans(cells, parts, network, (part) => report(0.3 + 0.6 * part));
  const panWeights = panWeightsOf(panEstimates);
  pool.release(cells);
  const guitar = pool.acquire(pans.length);
  const piano = pool.acquire(pans.length);
  const odds = logits.map((logit) => Math.exp(logit / temperature));
  for (let i = 0; i < pans.length; i++) {
    const k = i % binCount;
    if (k < firstBin) continue;
    const at = (((i - k) / binCount) * networkBands + (bandOfBin[k] as number)) * maskCount;
    const weight = (pans[i] as number) * maskCount;
    const g = (odds[at] as number) * (panWeights[weight] as number);
    const p = (odds[at + 1] as number) * (panWeights[weight + 1] as number);
    const all = g + p + (odds[at + 2] as number) * (panWeights[weight + 2] as number);
    guitar[i] = g / all;
    piano[i] = p / all;
  }
  report(1);
  const estimates = [wholePresence, ...panEstimates.map(({ presence }) => presence)];
  const maximumOf = (name: 'guitar' | 'piano'): number =>
    Math.max(...estimates.map((estimate) => estimate[name]));
  return { guitar, piano, presence: { guitar: maximumOf('guitar'), piano: maximumOf('piano') } };
}

/** Returns the energy of each pan position of each band and frame, an array of the pool. */
function cellEnergies(
  { leftRe, leftIm, rightRe, rightIm, frameCount }: StereoSpectrogram,
  pans: Uint8Array,
  pool: BufferPool,
): Float32Array {
  const cells = pool.acquire(frameCount * cellsPerFrame);
  for (let t = 0; t < frameCount; t++) {
    for (let k = firstBin; k < (bandEdges[networkBands] as number); k++) {
      const i = t * binCount + k;
      const a = leftRe[i] as number;
      const b = leftIm[i] as number;
      const c = rightRe[i] as number;
      const d = rightIm[i] as number;
      const to = t * cellsPerFrame + (bandOfBin[k] as number) * (panPositionCount + 1) + (pans[i] as number);
      cells[to] = (cells[to] as number) + a * a + b * b + c * c + d * d;
    }
  }
  return cells;
}

/** Returns the mean energy per bin of each band, over a range of pan positions. */
function energiesAt(cells: Float32Array, firstPan: number, lastPan: number): Float32Array {
  const energies = new Float32Array(cells.length / (panPositionCount + 1));
  for (let i = 0; i < energies.length; i++) {
    const band = i % networkBands;
    let sum = 0;
    for (let pan = firstPan; pan <= lastPan; pan++) {
      sum += cells[i * (panPositionCount + 1) + pan] as number;
    }
    energies[i] = sum / ((bandEdges[band + 1] as number) - (bandEdges[band] as number));
  }
  return energies;
}

/** Returns the energy in each of the network's bands, {@link networkBands} values per frame. */
export function networkBandEnergies({
  leftRe,
  leftIm,
  rightRe,
  rightIm,
  frameCount,
}: StereoSpectrogram): Float32Array {
  const energies = new Float32Array(frameCount * networkBands);
  for (let i = 0; i < energies.length; i++) {
    const band = i % networkBands;
    const frame = (i - band) / networkBands;
    let sum = 0;
    const to = frame * binCount + (bandEdges[band + 1] as number);
    for (let at = frame * binCount + (bandEdges[band] as number); at < to; at++) {
      sum += (leftRe[at] as number) ** 2 + (leftIm[at] as number) ** 2;
      sum += (rightRe[at] as number) ** 2 + (rightIm[at] as number) ** 2;
    }
    energies[i] = sum;
  }
  return energies;
}

/** Returns the part of the mixture's energy in each band and frame, 0 to 1. */
function partsOf(cells: Float32Array, mixtureEnergies: Float32Array): Float32Array {
  return mixtureEnergies.map((whole, i) => {
    let left = 0;
    for (let pan = 0; pan <= diffuse; pan++) left += cells[i * (panPositionCount + 1) + pan] as number;
    return Math.min(1, left / (whole + 1e-9));
  });
}

/** The network's estimate for one pan position. */
interface PanEstimate {
  readonly pan: number;
  readonly energy: number;
  /** Mean masks of guitar, piano and the rest at this position. */
  readonly masks: Float64Array;
  readonly presence: { readonly guitar: number; readonly piano: number };
}

/** Estimates each pan position with enough energy, together with its neighbours. */
function estimateAtPans(
  cells: Float32Array,
  parts: Float32Array,
  network: MaskNetwork,
  report: (part: number) => void,
): PanEstimate[] {
  const energyAt = new Float64Array(panPositionCount + 1);
  for (let i = 0; i < cells.length; i++) {
    const pan = i % (panPositionCount + 1);
    energyAt[pan] = (energyAt[pan] as number) + (cells[i] as number);
  }
  const least = minimumEnergyPart * energyAt.reduce((sum, energy) => sum + energy, 0);
  const estimates: PanEstimate[] = [];
  for (const [pan, energy] of energyAt.entries()) {
    report(pan / energyAt.length);
    if (pan === diffuse || energy === 0 || energy < least) continue;
    const near = energiesAt(cells, Math.max(0, pan - 1), Math.min(panPositionCount - 1, pan + 1));
    const { logits, presence } = network.estimate(near, parts);
    estimates.push({ pan, energy, masks: meanMasks(logits, cells, pan), presence });
  }
  return estimates;
}

/** Returns, for each pan position, factors of the odds of guitar, piano and the rest. */
function panWeightsOf(estimates: readonly PanEstimate[]): Float64Array {
  const panWeights = new Float64Array((panPositionCount + 1) * maskCount).fill(1);
  const total = estimates.reduce((sum, { energy }) => sum + energy, 0);
  for (let i = 0; i < maskCount; i++) {
    const mean = estimates.reduce(
      (sum, { energy, masks }) => sum + (energy * (masks[i] as number)) / total,
      0,
    );
    for (const { pan, masks } of estimates) {
      panWeights[pan * maskCount + i] = ((masks[i] as number) + minimumMask) / (mean + minimumMask);
    }
  }
  return panWeights;
}

/** Returns the energy-weighted mean masks at a pan position. */
function meanMasks(logits: Float64Array, cells: Float32Array, pan: number): Float64Array {
  const mean = new Float64Array(maskCount);
  let total = 1e-20;
  for (let i = 0; i * maskCount < logits.length; i++) {
    const energy = cells[i * (panPositionCount + 1) + pan] as number;
    if (energy === 0) continue;
    const [g, p, r] = [0, 1, 2].map((j) => Math.exp(logits[i * maskCount + j] as number)) as [
      number,
      number,
      number,
    ];
    const scale = energy / (g + p + r);
    mean[0] = (mean[0] as number) + scale * g;
    mean[1] = (mean[1] as number) + scale * p;
    mean[2] = (mean[2] as number) + scale * r;
    total += energy;
  }
  return mean.map((sum) => sum / total);
}
