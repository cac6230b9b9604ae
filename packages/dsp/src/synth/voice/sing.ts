import { StateVariableFilter, smoothing } from '../filter.ts';
import { createRandom } from '../random.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples } from '../stereo-samples.ts';
import { GESTURE_HOP, planGestures, type Singer, type SungNote } from './gestures.ts';
import { GlottalSource } from './glottal-source.ts';
import { Antiresonator, Resonator } from './resonator.ts';

/** Time by which a sung phrase begins before its first note, for the consonants before the beat. */
export const PHRASE_LEAD_SECONDS = 0.25;
const TAIL_SECONDS = 0.15;

/**
 * Renders a sung phrase. The audio begins 0.25 s before the zero of the phrase. Mono, levelled, peak about 0.6.
 *
 * vocal folds and breath → nose → cascade of five formants → correction for the higher ones → + frication of the
 * consonants → leveller
 *
 * The first formant is raised where the pitch would exceed it, as sopranos do.
 *
 * @param notes ascending, not overlapping
 * @param seed another seed is another take of the same line
 * @throws RangeError if there are no notes or a syllable is misspelled
 * @see Klatt, JASA 67(3), 1980 (cascade); Joliveau, Smith, Wolfe, Nature 427, 2004 (tuning of the tract)
 */
export function singPhrase(notes: readonly SungNote[], singer: Singer, seed: number): StereoSamples {
  if (notes.length === 0) throw new RangeError('a phrase must have at least one note (got 0)');
  const random = createRandom(seed);
  const gestures = planGestures(notes, singer, PHRASE_LEAD_SECONDS, TAIL_SECONDS, random);
  const hops = gestures.voice.length - 1;
  const samples = new Float32Array(hops * GESTURE_HOP);
  const source = new GlottalSource(
    {
      openQuotient: singer.openQuotient,
      jitter: 0.006,
      shimmer: 0.05,
      tiltHz: singer.tiltHz,
      breath: singer.breath,
    },
    random,
  );
  const formants = [0, 1, 2, 3, 4].map(() => new Resonator());
  const [first, second, third, fourth, fifth] = formants as [
    Resonator,
    Resonator,
    Resonator,
    Resonator,
    Resonator,
  ];
  const mouth = new Float64Array(GESTURE_HOP);
  const air = new Float64Array(GESTURE_HOP);
  const nosePole = new Resonator();
  const noseZero = new Antiresonator();
  const shelfSmoothing = smoothing(1 / (2 * Math.PI * 2600));
  const upperSmoothing = smoothing(1 / (2 * Math.PI * 5200));
  let shelfLow = 0;
  let upperLow = 0;
  const hissBand = new StateVariableFilter(4000, 1.2);
  const top = (singer.formants === 'women' ? 1.12 : 1) * singer.size;
  fourth.tune(3450 * top, 200);
  fifth.tune(4500 * top, 300);
  nosePole.tune(280, 110);

  for (let hop = 0; hop < hops; hop++) {
    const pitch = gestures.pitchHz[hop]!;
    const pitchStep = (gestures.pitchHz[hop + 1]! - pitch) / GESTURE_HOP;
    const [f1, f2, f3] = gestures.formantsHz;
    first.tune(Math.max(f1[hop]!, pitch * 1.04), 75 + 0.09 * pitch);
    second.tune(f2[hop]!, 105);
    third.tune(f3[hop]!, 160);
    noseZero.tune(280 + 190 * gestures.nose[hop]!, 110);
    hissBand.tune(gestures.hissHz[hop]!, 1.1);
    const voice = gestures.voice[hop]!;
    const voiceStep = (gestures.voice[hop + 1]! - voice) / GESTURE_HOP;
    const breath = gestures.breath[hop]! * 0.35;
    const hiss = gestures.hiss[hop]!;
    const hissStep = (gestures.hiss[hop + 1]! - hiss) / GESTURE_HOP;
    for (let index = 0; index < GESTURE_HOP; index++) {
      const pulse = source.next(pitch + pitchStep * index) * (voice + voiceStep * index);
      air[index] = source.aspiration;
      mouth[index] = pulse + breath * air[index]!;
    }
    noseZero.process(mouth);
    nosePole.process(mouth);
    for (const formant of formants) formant.process(mouth);
    for (let index = 0; index < GESTURE_HOP; index++) {
      // The poles above the fifth, which a vocal tract has and this cascade lacks, would raise high frequencies.
      shelfLow += shelfSmoothing * (mouth[index]! - shelfLow);
      const lifted = mouth[index]! + 2.6 * (mouth[index]! - shelfLow);
      upperLow += upperSmoothing * (lifted - upperLow);
      const corrected = lifted + 4 * (lifted - upperLow);
      hissBand.process(air[index]!);
      samples[hop * GESTURE_HOP + index] = corrected * 0.25 + hissBand.band * (hiss + hissStep * index) * 0.4;
    }
  }
  level(samples);
  fadeEnd(samples, 0.05);
  return monoSamples(samples);
}

/** Removes rumble and evens out the loudness of vowels and pitches: a leveller with 5 ms attack, 250 ms release. */
function level(samples: Float32Array): void {
  const attack = smoothing(0.005);
  const release = smoothing(0.25);
  const lowCut = new StateVariableFilter(110, 0.7);
  const presence = new StateVariableFilter(3000, 0.7);
  let power = 0;
  let gain = 0;
  for (let index = 0; index < samples.length; index++) {
    lowCut.process(samples[index]!);
    const sample = lowCut.high;
    presence.process(sample);
    const bright = sample + 0.5 * presence.band;
    const square = bright * bright;
    power += (square > power ? attack : release) * (square - power);
    // The gain falls by two thirds of the rise of the level above the threshold.
    if (index % 8 === 0) gain = 1 / (0.18 + Math.sqrt(power)) ** 0.72;
    samples[index] = 0.36 * bright * gain;
  }
}

/** Samples by which a phrase begins before its first beat. */
export const PHRASE_LEAD_SAMPLES = Math.round(PHRASE_LEAD_SECONDS * SAMPLE_RATE_HZ);
