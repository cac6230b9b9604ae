import type { Random } from '../random.ts';
import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { ConsonantStage, Vowel } from './phones.ts';
import { parseSyllable } from './syllable.ts';

/** Samples between points of the gestures. */
export const GESTURE_HOP = 64;
const HOPS_PER_SECOND = SAMPLE_RATE_HZ / GESTURE_HOP;

/** One sung note; times in seconds from the beginning of the phrase. */
export interface SungNote {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly midi: number;
  /** Syllable in the letters of `phones.ts`. */
  readonly syllable: string;
}

/** Parameters of a singer. */
export interface Singer {
  readonly formants: 'men' | 'women';
  /** Factor of all formants, about 1; smaller heads have higher formants. */
  readonly size: number;
  readonly vibratoHz: number;
  readonly vibratoCents: number;
  /** Time from the beginning of a note to its vibrato. */
  readonly vibratoAfterSeconds: number;
  /** Time of the glide from one note to the next. */
  readonly portamentoSeconds: number;
  readonly openQuotient: number;
  readonly tiltHz: number;
  readonly breath: number;
}

/** Control parameters of mouth, nose and vocal folds over time, at points 64 samples apart. */
export interface Gestures {
  readonly formantsHz: readonly [Float32Array, Float32Array, Float32Array];
  readonly voice: Float32Array;
  readonly breath: Float32Array;
  readonly hiss: Float32Array;
  readonly hissHz: Float32Array;
  readonly nose: Float32Array;
  readonly pitchHz: Float32Array;
}

/**
 * Computes the gestures for a sung phrase.
 *
 * Each phone sets targets, which are smoothed (formants over 50 ms, levels over 14 ms), so that neighbouring phones
 * influence each other by coarticulation. The vowel falls on the beat; its consonants come before it.
 *
 * @param leadSeconds time before the zero of the phrase with which the arrays begin, for the first consonant
 * @see Öhman, "Coarticulation in VCV utterances", JASA 39(1), 1966
 */
export function planGestures(
  notes: readonly SungNote[],
  singer: Singer,
  leadSeconds: number,
  tailSeconds: number,
  random: Random,
): Gestures {
  const end = notes.reduce((latest, note) => Math.max(latest, note.startSeconds + note.durationSeconds), 0);
  const length = Math.ceil((leadSeconds + end + tailSeconds) * HOPS_PER_SECOND) + 1;
  const blank = (): Float32Array => new Float32Array(length);
  const gestures: Gestures = {
    formantsHz: [blank().fill(500), blank().fill(1500), blank().fill(2500)],
    voice: blank(),
    breath: blank(),
    hiss: blank(),
    hissHz: blank().fill(4000),
    nose: blank(),
    pitchHz: blank(),
  };
  const hopAt = (seconds: number): number =>
    Math.max(0, Math.min(length, Math.round((seconds + leadSeconds) * HOPS_PER_SECOND)));
  const scale = singer.formants === 'women' ? 1.15 : 1;

  const fill = (from: number, to: number, target: Omit<ConsonantStage, 'seconds'>, vowel: Vowel): void => {
    const consonant = target.formantsHz?.map((hz) => hz * scale);
    const formants = consonant ?? vowel[singer.formants];
    for (let hop = hopAt(from); hop < hopAt(to); hop++) {
      for (let formant = 0; formant < 3; formant++) {
        gestures.formantsHz[formant]![hop] = formants[formant]! * singer.size;
      }
      gestures.voice[hop] = target.voice;
      gestures.breath[hop] = target.breath;
      gestures.hiss[hop] = target.hiss;
      gestures.hissHz[hop] = target.hissHz;
      gestures.nose[hop] = target.nose;
    }
  };

  notes.forEach((note, index) => {
    const syllable = parseSyllable(note.syllable);
    const first = syllable.vowels[0]!;
    const last = syllable.vowels.at(-1)!;
    const noteEnd = note.startSeconds + note.durationSeconds;
    const codaSeconds = syllable.coda.reduce((sum, stage) => sum + stage.seconds, 0);
    const vowelEnd = Math.max(note.startSeconds + 0.06, noteEnd - codaSeconds);
    const open = { formantsHz: null, voice: 1, breath: 0, hiss: 0, hissHz: 4000, nose: 0 };
    // A diphthong stays on its first vowel and changes late, as in singing.
    const changeSeconds =
      syllable.vowels.length > 1
        ? Math.max(note.startSeconds + 0.5 * (vowelEnd - note.startSeconds), vowelEnd - 0.22)
        : vowelEnd;
    fill(note.startSeconds, changeSeconds, open, first);
    fill(changeSeconds, vowelEnd, open, last);
    let at = vowelEnd;
    for (const stage of syllable.coda) {
      fill(at, at + stage.seconds, stage, last);
      at += stage.seconds;
    }
    at = note.startSeconds - syllable.onset.reduce((sum, stage) => sum + stage.seconds, 0);
    for (const stage of syllable.onset) {
      fill(at, at + stage.seconds, stage, first);
      at += stage.seconds;
    }
    const next = notes[index + 1];
    const silent = Math.max(noteEnd, at);
    if (!next || next.startSeconds > silent + 0.02) {
      // Between syllables the formants stay where they were.
      fill(silent, (next?.startSeconds ?? end + tailSeconds) + 1, { ...open, voice: 0 }, last);
    }
  });
  for (const formant of gestures.formantsHz) blur(formant, 0.05);
  blur(gestures.voice, 0.014);
  blur(gestures.voice, 0.008);
  blur(gestures.breath, 0.014);
  blur(gestures.hiss, 0.008);
  blur(gestures.nose, 0.016);
  planPitch(gestures.pitchHz, notes, singer, leadSeconds, random);
  return gestures;
}

/** Computes the pitch in Hz: notes joined by portamento, a scoop into each phrase, delayed vibrato, a slow drift. */
function planPitch(
  pitchHz: Float32Array,
  notes: readonly SungNote[],
  singer: Singer,
  leadSeconds: number,
  random: Random,
): void {
  const cents = new Float32Array(pitchHz.length);
  const vibrato = new Float32Array(pitchHz.length);
  let noteIndex = 0;
  let drift = 0;
  let vibratoPhase = random();
  let rate = singer.vibratoHz;
  for (let hop = 0; hop < cents.length; hop++) {
    const seconds = hop / HOPS_PER_SECOND - leadSeconds;
    // The glide spans the beginning of the note, a little more before it than after.
    while (noteIndex + 1 < notes.length && seconds >= notes[noteIndex + 1]!.startSeconds - 0.02) noteIndex++;
    const note = notes[noteIndex]!;
    const since = seconds - note.startSeconds;
    const before = notes[noteIndex - 1];
    const isFresh = !before || note.startSeconds - before.startSeconds - before.durationSeconds > 0.12;
    const scoop = isFresh ? -70 * Math.exp(-Math.max(0, since + 0.03) / 0.05) : 0;
    cents[hop] = note.midi * 100 + scoop;
    const setIn = Math.min(1, Math.max(0, (since - singer.vibratoAfterSeconds) / 0.35));
    rate += 0.02 * (singer.vibratoHz - rate) + 0.06 * (random() - random());
    vibratoPhase += rate / HOPS_PER_SECOND;
    drift += -0.004 * drift + 0.35 * (random() - random());
    vibrato[hop] = setIn * singer.vibratoCents * Math.sin(2 * Math.PI * vibratoPhase) + drift;
  }
  blur(cents, singer.portamentoSeconds);
  blur(cents, singer.portamentoSeconds * 0.6);
  for (let hop = 0; hop < cents.length; hop++) {
    pitchHz[hop] = 440 * 2 ** ((cents[hop]! + vibrato[hop]! - 6900) / 1200);
  }
}

/** Applies a centred moving mean over a number of seconds, in place; the ends are held. */
function blur(values: Float32Array, seconds: number): void {
  const reach = Math.max(1, Math.round((seconds * HOPS_PER_SECOND) / 2));
  const source = Float64Array.from(values);
  const last = source.length - 1;
  let sum = 0;
  for (let offset = -reach; offset <= reach; offset++) sum += source[Math.min(last, Math.max(0, offset))]!;
  for (let index = 0; index <= last; index++) {
    values[index] = sum / (2 * reach + 1);
    sum += source[Math.min(last, index + reach + 1)]! - source[Math.max(0, index - reach)]!;
  }
}
