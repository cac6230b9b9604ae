import { createRealFft, loadFft } from '@stem-studio/dsp/transform/fft';
import { createMelFilterBank } from '@stem-studio/dsp/transform/mel';
import { hannWindow } from '@stem-studio/dsp/transform/window';

const RATE_HZ = 44_100;
const SIZE = 2_048;
const BANDS = 64;
const FLOOR = 1e-7;
const TONES_HZ = [60, 82.4, 110, 164.8, 261.6, 440, 700, 1_000, 2_000, 3_500, 5_000, 8_000];

/**
 * How unlike a stretched sound is to its song: at each moment both have a spectrum in 64 mel bands, of frames of 46 ms
 * that are centred on the same place of the song; the root of the mean square of their differences in dB, averaged over
 * the moments.
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

/** Seconds of a processor that this process has used: what others use of it meanwhile does not count. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * How much less, on average, the energy of the differences of samples (in which strokes stand out from what sounds on)
 * rises from the 5 ms before to the 5 ms after a stroke than it does in the song, in dB, over the strokes that rise by 8 dB
 * and more there and are no more than 40 dB below the strongest.
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
    // Where the stretched one rises most, within 3 ms of where it is to.
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

/** Energy 20 to 5 ms before strokes against that of the 10 ms from them on, in dB: the middle one of all. */
export function preEchoDb(samples: Float32Array, places: readonly number[], rate: number): number {
  const levels = places.flatMap((place) => {
    const at = Math.round(place / rate);
    if (at + 500 > samples.length) return [];
    return [
      10 * Math.log10(energyOf(samples, at - 882, at - 220) / energyOf(samples, at - 100, at + 441) + 1e-12),
    ];
  });
  return levels.toSorted((one, other) => one - other)[levels.length >> 1] ?? Number.NaN;
}

/** The stroke that is farthest from where the tempo puts it, in ms: where it first has a quarter of its height. */
export function lateness(samples: Float32Array, places: readonly number[], rate: number): number {
  let most = 0;
  for (const place of places) {
    const wanted = place / rate;
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

/** How far the worst of some tones is from its pitch, in cents. */
export async function pitchErrorCents(play: (tone: Float32Array) => Promise<Float32Array>): Promise<number> {
  let worst = 0;
  for (const hz of TONES_HZ) {
    const tone = Float32Array.from(
      { length: 90_000 },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / RATE_HZ),
    );
    const heard = frequencyOf(await play(tone), hz, 16_000, 40_000);
    worst = Math.max(worst, Math.abs(1_200 * Math.log2(heard / hz)));
  }
  return worst;
}

/** The frequency near `hz` whose windowed sum is the strongest, by golden section. */
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
