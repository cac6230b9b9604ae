import { logBandEdges } from './band-features.ts';
import { everywhere, placeCount, placesOf } from './panorama.ts';
import type { PlaneLender } from './planes.ts';
import { networkBands, type ShareNetwork, shareCount } from './share-network.ts';
import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';

/** The bands that the network hears, in bins: 54 Hz to 16 kHz. */
const bandEdges = logBandEdges(5, 1500, networkBands);
const firstBin = bandEdges[0] as number;
const bandOfBin = Uint8Array.from({ length: binCount }, (_, k) => {
  const above = bandEdges.findIndex((edge) => edge > k);
  return above < 0 ? networkBands - 1 : Math.max(0, above - 1);
});
const cellsPerFrame = networkBands * (placeCount + 1);

/** The logits are divided by it: a bold share of the wrong instrument costs more than it gains. */
const doubt = 1.5;
/** A place with less of the energy is not heard by itself. */
const leastPlace = 0.01;
/** Shares at a place are not taken for smaller than this. */
const leastShare = 1e-3;

/** What guitar and piano have of each bin of `other`, 0 to 1; lent. */
export interface GuitarPianoShares {
  readonly guitar: Float32Array;
  readonly piano: Float32Array;
  /**
   * The logarithm of the odds that there is a guitar, and a piano, in the piece at all: the most that is heard in the
   * whole or at one place.
   */
  readonly presence: { readonly guitar: number; readonly piano: number };
}

/**
 * Divides what four stems leave over into guitar, piano and the rest.
 *
 * ```
 * other ┬→ bands of each frame ──────────────→ network → logits ┐
 *       └→ the same, place by place of the panorama → network → share of each place ┴→ shares of each bin
 * ```
 *
 * Instruments keep their place: what the network hears at one place by itself, where an instrument stands nearly
 * alone, moves the shares of all that stands there.
 *
 * @param other the spectrogram of what vocals, drums and bass leave
 * @param mixtureEnergies {@link networkBandEnergies} of the whole, of the same length
 */
export function shareGuitarAndPiano(
  other: StereoSpectrogram,
  mixtureEnergies: Float32Array,
  network: ShareNetwork,
  planes: PlaneLender,
  report: (part: number) => void,
): GuitarPianoShares {
  const places = placesOf(other);
  const cells = cellEnergies(other, places, planes);
  const parts = partsOf(cells, mixtureEnergies);
  report(0.2);
  const { logits, presence: wholePresence } = network.hear(energiesAt(cells, 0, everywhere), parts);
  report(0.3);
  const heard = hearPlaces(cells, parts, network, (part) => report(0.3 + 0.6 * part));
  const leanings = leaningsOf(heard);
  planes.give(cells);
  const guitar = planes.take(places.length);
  const piano = planes.take(places.length);
  const odds = logits.map((logit) => Math.exp(logit / doubt));
  for (let i = 0; i < places.length; i++) {
    const k = i % binCount;
    if (k < firstBin) continue;
    const at = (((i - k) / binCount) * networkBands + (bandOfBin[k] as number)) * shareCount;
    const leaning = (places[i] as number) * shareCount;
    const g = (odds[at] as number) * (leanings[leaning] as number);
    const p = (odds[at + 1] as number) * (leanings[leaning + 1] as number);
    const all = g + p + (odds[at + 2] as number) * (leanings[leaning + 2] as number);
    guitar[i] = g / all;
    piano[i] = p / all;
  }
  report(1);
  const heardThere = [wholePresence, ...heard.map(({ presence }) => presence)];
  const mostOf = (name: 'guitar' | 'piano'): number => Math.max(...heardThere.map((there) => there[name]));
  return { guitar, piano, presence: { guitar: mostOf('guitar'), piano: mostOf('piano') } };
}

/** The energy of each place of each band of each frame; lent. */
function cellEnergies(
  { leftRe, leftIm, rightRe, rightIm, frameCount }: StereoSpectrogram,
  places: Uint8Array,
  planes: PlaneLender,
): Float32Array {
  const cells = planes.take(frameCount * cellsPerFrame);
  for (let t = 0; t < frameCount; t++) {
    for (let k = firstBin; k < (bandEdges[networkBands] as number); k++) {
      const i = t * binCount + k;
      const a = leftRe[i] as number;
      const b = leftIm[i] as number;
      const c = rightRe[i] as number;
      const d = rightIm[i] as number;
      const to = t * cellsPerFrame + (bandOfBin[k] as number) * (placeCount + 1) + (places[i] as number);
      cells[to] = (cells[to] as number) + a * a + b * b + c * c + d * d;
    }
  }
  return cells;
}

/** The mean energy of the bins of each band, of what stands at some places. */
function energiesAt(cells: Float32Array, firstPlace: number, lastPlace: number): Float32Array {
  const energies = new Float32Array(cells.length / (placeCount + 1));
  for (let i = 0; i < energies.length; i++) {
    const band = i % networkBands;
    let sum = 0;
    for (let place = firstPlace; place <= lastPlace; place++) {
      sum += cells[i * (placeCount + 1) + place] as number;
    }
    energies[i] = sum / ((bandEdges[band + 1] as number) - (bandEdges[band] as number));
  }
  return energies;
}

/** The energy of both sides in each of the network's bands, {@link networkBands} values a frame. */
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

/** How much of the mixture's energy is left in each band of each frame, 0 to 1. */
function partsOf(cells: Float32Array, mixtureEnergies: Float32Array): Float32Array {
  return mixtureEnergies.map((whole, i) => {
    let left = 0;
    for (let place = 0; place <= everywhere; place++) left += cells[i * (placeCount + 1) + place] as number;
    return Math.min(1, left / (whole + 1e-9));
  });
}

/** What the network hears of one place. */
interface HeardPlace {
  readonly place: number;
  readonly energy: number;
  /** The shares of guitar, piano and the rest in all that stands there. */
  readonly shares: Float64Array;
  readonly presence: { readonly guitar: number; readonly piano: number };
}

/** Hears each place by itself, with its neighbours, where enough stands there. */
function hearPlaces(
  cells: Float32Array,
  parts: Float32Array,
  network: ShareNetwork,
  report: (part: number) => void,
): HeardPlace[] {
  const energyAt = new Float64Array(placeCount + 1);
  for (let i = 0; i < cells.length; i++) {
    const place = i % (placeCount + 1);
    energyAt[place] = (energyAt[place] as number) + (cells[i] as number);
  }
  const least = leastPlace * energyAt.reduce((sum, energy) => sum + energy, 0);
  const heard: HeardPlace[] = [];
  for (const [place, energy] of energyAt.entries()) {
    report(place / energyAt.length);
    if (place === everywhere || energy === 0 || energy < least) continue;
    const near = energiesAt(cells, Math.max(0, place - 1), Math.min(placeCount - 1, place + 1));
    const { logits, presence } = network.hear(near, parts);
    heard.push({ place, energy, shares: meanShares(logits, cells, place), presence });
  }
  return heard;
}

/** For each place, what the odds of guitar, piano and the rest are multiplied by there. */
function leaningsOf(heard: readonly HeardPlace[]): Float64Array {
  const leanings = new Float64Array((placeCount + 1) * shareCount).fill(1);
  const total = heard.reduce((sum, { energy }) => sum + energy, 0);
  for (let i = 0; i < shareCount; i++) {
    const mean = heard.reduce((sum, { energy, shares }) => sum + (energy * (shares[i] as number)) / total, 0);
    for (const { place, shares } of heard) {
      leanings[place * shareCount + i] = ((shares[i] as number) + leastShare) / (mean + leastShare);
    }
  }
  return leanings;
}

/** The shares of what stands at a place, the mean of all of its energy. */
function meanShares(logits: Float64Array, cells: Float32Array, place: number): Float64Array {
  const mean = new Float64Array(shareCount);
  let total = 1e-20;
  for (let i = 0; i * shareCount < logits.length; i++) {
    const energy = cells[i * (placeCount + 1) + place] as number;
    if (energy === 0) continue;
    const [g, p, r] = [0, 1, 2].map((j) => Math.exp(logits[i * shareCount + j] as number)) as [
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
