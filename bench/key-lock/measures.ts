import { createRealFft, loadFft } from '@stem-studio/dsp/transform/fft';
import { createMelFilterBank } from '@stem-studio/dsp/transform/mel';
import { hannWindow } from '@stem-studio/dsp/transform/window';

const RATE_HZ = 44_100;
const SIZE = 2_048;
const BANDS = 64;
const FLOOR = 1e-7;
const TONES_HZ = [60, 82.4, 110, 164.8, 261.6, 440, 700, 1_000, 2_000, 3_500, 5_000, 8_000];

/**
 * Returns the spectral distance between a stretched recording and its song in dB. At each moment both have a spectrum
 * of 64 mel bands, from frames of 46 ms centred on the same position of the song. The result is the root mean square of
 * their differences in dB, averaged over the moments.
 *
 * @see A. Gray, J. Markel, "Distance measures for speech processing", IEEE Trans. ASSP 24(5), 1976
 */
export function spectralDistanceDb(song: Float32Array, stretched: Float32Array, rate: number): number {
  const spectrum = bandsOf();
  const [here, there] = [new Float64Array(BANDS), new Float64Array(BANDS)];
  let [sum, count] = [0, 0];
  for (let centre = 2 * RATE_HZ; centre + SIZE < stretched.length; centre += 512) {
    spectrum(stretched, centre, here);
    spectrum(song, Math.round(centre * rate), there);
    let square = 0;
    for (let band = 0; band < BANDS; band++) square += ((here[band] ?? 0) - (there[band] ?? 0)) ** 2;
    sum += Math.sqrt(square / BANDS);
    count++;
  }
  return sum / count;
}

function bandsOf(): (samples: Float32Array, centre: number, bands: Float64Array) => void {
  const fft = createRealFft(SIZE);
  const bank = createMelFilterBank({ sampleRate: RATE_HZ, fftSize: SIZE, bandCount: BANDS });
  const window = hannWindow(SIZE);
  const [frame, re, im] = [
    new Float32Array(SIZE),
    new Float32Array(fft.binCount),
    new Float32Array(fft.binCount),
  ];
  const [power, mel] = [new Float32Array(fft.binCount), new Float32Array(BANDS)];
  return (samples, centre, bands) => {
    for (let n = 0; n < SIZE; n++) frame[n] = (samples[centre - SIZE / 2 + n] ?? 0) * (window[n] ?? 0);
    fft.forward(frame, re, im);
    for (let bin = 0; bin < fft.binCount; bin++) power[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    bank.apply(power, mel);
    for (let band = 0; band < BANDS; band++) bands[band] = 10 * Math.log10((mel[band] ?? 0) + FLOOR);
  };
}

/** Returns the processor seconds used by this process, which other processes do not affect. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Returns the mean loss of transient attacks in a stretched recording, in dB. An attack is the rise of the energy of
 * the sample differences (in which transients stand out from sustained notes) from the 5 ms before to the 5 ms after
 * it. Only transients that rise by at least 8 dB in the song, and are at most 40 dB below the strongest, count.
 */
export function risesLostDb(song: Float32Array, stretched: Float32Array, rate: number): number {
  const step = Math.round(0.005 * RATE_HZ);
  const [songEdges, stretchedEdges] = [edgesOf(song), edgesOf(stretched)];
  const riseAt = (edges: Float32Array, at: number): number =>
    10 * Math.log10((energyOf(edges, at, at + step) + 1e-6) / (energyOf(edges, at - step, at) + 1e-6));
  let strongest = 0;
  for (let at = 0; at < song.length; at += step)
    strongest = Math.max(strongest, energyOf(songEdges, at, at + step));
  let [lost, count] = [0, 0];
  for (let at = RATE_HZ; (at + RATE_HZ) / rate < stretched.length; ) {
    const rise = riseAt(songEdges, at);
    const isFaint = energyOf(songEdges, at, at + step) < 1e-4 * strongest;
    if (rise < 8 || isFaint || rise < riseAt(songEdges, at + 32)) {
      at += 32;
      continue;
    }
    // The largest rise of the stretched recording within 3 ms of the expected position.
    let most = Number.NEGATIVE_INFINITY;
    for (let near = -132; near <= 132; near += 8)
      most = Math.max(most, riseAt(stretchedEdges, Math.round(at / rate) + near));
    lost += rise - most;
    count++;
    at += 4 * step;
  }
  return lost / count;
}

function edgesOf(samples: Float32Array): Float32Array {
  return samples.map((sample, n) => sample - (samples[n - 1] ?? 0));
}

/**
 * Returns the pre-echo of transients in dB: the energy 20 to 5 ms before them relative to the 10 ms after, as the
 * median.
 */
export function preEchoDb(samples: Float32Array, positions: readonly number[], rate: number): number {
  const levels = positions.flatMap((position) => {
    const at = Math.round(position / rate);
    if (at + 500 > samples.length) return [];
    return [
      10 * Math.log10(energyOf(samples, at - 882, at - 220) / energyOf(samples, at - 100, at + 441) + 1e-12),
    ];
  });
  return levels.toSorted((one, other) => one - other)[levels.length >> 1] ?? Number.NaN;
}

/**
 * Returns the largest deviation of a transient from its expected time, in ms. Its time is the first sample with a
 * quarter of its peak.
 */
export function lateness(samples: Float32Array, positions: readonly number[], rate: number): number {
  let most = 0;
  for (const position of positions) {
    const wanted = position / rate;
    if (wanted + 2_000 > samples.length) break;
    const from = Math.round(wanted) - 2_000;
    let highest = 0;
    for (let n = from; n < from + 4_000; n++) highest = Math.max(highest, Math.abs(samples[n] ?? 0));
    let at = from;
    while (Math.abs(samples[at] ?? 0) < highest / 4) at++;
    most = Math.max(most, Math.abs(at - wanted));
  }
  return (1_000 * most) / RATE_HZ;
}

/** Returns the largest pitch error of several tones, in cents. */
export async function pitchErrorCents(play: (tone: Float32Array) => Promise<Float32Array>): Promise<number> {
  let worst = 0;
  for (const hz of TONES_HZ) {
    const tone = Float32Array.from(
      { length: 90_000 },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / RATE_HZ),
    );
    const detectedHz = frequencyOf(await play(tone), hz, 16_000, 40_000);
    worst = Math.max(worst, Math.abs(1_200 * Math.log2(detectedHz / hz)));
  }
  return worst;
}

/** Returns the frequency near `hz` with the strongest windowed sum, by golden-section search. */
function frequencyOf(samples: Float32Array, hz: number, from: number, length: number): number {
  const strength = (candidate: number): number => {
    let [re, im] = [0, 0];
    for (let n = 0; n < length; n++) {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length);
      const angle = (2 * Math.PI * candidate * n) / RATE_HZ;
      re += window * (samples[from + n] ?? 0) * Math.cos(angle);
      im += window * (samples[from + n] ?? 0) * Math.sin(angle);
    }
    return Math.hypot(re, im);
  };
  let [low, high] = [hz - 1.5, hz + 1.5];
  for (let round = 0; round < 24; round++) {
    const [one, other] = [low + (high - low) * 0.382, low + (high - low) * 0.618];
    if (strength(one) > strength(other)) high = other;
    else low = one;
  }
  return (low + high) / 2;
}

function energyOf(samples: Float32Array, from: number, to: number): number {
  let energy = 0;
  for (let n = from; n < to; n++) energy += (samples[n] ?? 0) ** 2;
  return energy;
}

await loadFft();
