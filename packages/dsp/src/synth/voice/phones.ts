/** A vowel: the centres in Hz of its first three formants, for men and for women. */
export interface Vowel {
  readonly men: readonly [number, number, number];
  readonly women: readonly [number, number, number];
}

/**
 * The vowels by one letter each: `i` heed, `I` hid, `E` head, `A` had, `a` hod, `o` hawed, `U` hood, `u` who'd, `V`
 * hud, `R` bird. Two letters in a row form a diphthong (`EI` in "day", `oU` in "home").
 *
 * @see Peterson, Barney, "Control methods used in a study of the vowels", JASA 24(2), 1952, table II
 */
export const vowels: Readonly<Record<string, Vowel>> = {
  i: { men: [270, 2290, 3010], women: [310, 2790, 3310] },
  I: { men: [390, 1990, 2550], women: [430, 2480, 3070] },
  E: { men: [530, 1840, 2480], women: [610, 2330, 2990] },
  A: { men: [660, 1720, 2410], women: [860, 2050, 2850] },
  a: { men: [730, 1090, 2440], women: [850, 1220, 2810] },
  o: { men: [570, 840, 2410], women: [590, 920, 2710] },
  U: { men: [440, 1020, 2240], women: [470, 1160, 2680] },
  u: { men: [300, 870, 2240], women: [370, 950, 2670] },
  V: { men: [640, 1190, 2390], women: [760, 1400, 2780] },
  R: { men: [490, 1350, 1690], women: [500, 1640, 1960] },
};

/** One stage of a consonant. */
export interface ConsonantStage {
  readonly seconds: number;
  /** Targets of the first three formants for a man; null keeps those of the adjacent vowel. */
  readonly formantsHz: readonly [number, number, number] | null;
  /** Levels of voice, breath and frication, 0 to 1. */
  readonly voice: number;
  readonly breath: number;
  readonly hiss: number;
  readonly hissHz: number;
  /** Opening of the nasal tract, 0 to 1. */
  readonly nose: number;
}

function stage(
  seconds: number,
  formantsHz: ConsonantStage['formantsHz'],
  levels: Partial<Omit<ConsonantStage, 'seconds' | 'formantsHz'>>,
): ConsonantStage {
  return { seconds, formantsHz, voice: 0, breath: 0, hiss: 0, hissHz: 4000, nose: 0, ...levels };
}

const LIPS = [220, 800, 2100] as const;
const TEETH = [220, 1700, 2600] as const;
const VELUM = [220, 1800, 2200] as const;

/**
 * The consonants by one letter each, as stages: closure, burst, breath. `N` sing, `S` shine, `T` thing,
 * `D` the, `j` yes; the others as written.
 *
 * @see Klatt, "Software for a cascade/parallel formant synthesizer", JASA 67(3), 1980, tables II and III
 */
export const consonants: Readonly<Record<string, readonly ConsonantStage[]>> = {
  m: [stage(0.075, [280, 1000, 2200], { voice: 0.55, nose: 1 })],
  n: [stage(0.065, [280, 1550, 2500], { voice: 0.55, nose: 1 })],
  N: [stage(0.07, [280, 1900, 2400], { voice: 0.5, nose: 1 })],
  l: [stage(0.065, [350, 1050, 2800], { voice: 0.65 })],
  r: [stage(0.065, [330, 1080, 1450], { voice: 0.65 })],
  w: [stage(0.07, [290, 650, 2200], { voice: 0.6 })],
  j: [stage(0.06, [270, 2150, 2950], { voice: 0.6 })],
  h: [stage(0.065, null, { breath: 0.8 })],
  s: [stage(0.095, TEETH, { hiss: 0.5, hissHz: 7200 })],
  z: [stage(0.075, TEETH, { voice: 0.25, hiss: 0.3, hissHz: 6800 })],
  S: [stage(0.09, [300, 1800, 2700], { hiss: 0.55, hissHz: 3400 })],
  f: [stage(0.08, LIPS, { hiss: 0.22, hissHz: 8200 })],
  v: [stage(0.06, LIPS, { voice: 0.4, hiss: 0.09, hissHz: 7500 })],
  T: [stage(0.075, TEETH, { hiss: 0.2, hissHz: 7800 })],
  D: [stage(0.045, [300, 1350, 2600], { voice: 0.45, hiss: 0.05, hissHz: 6500 })],
  p: [
    stage(0.055, LIPS, {}),
    stage(0.012, LIPS, { hiss: 0.45, hissHz: 1100 }),
    stage(0.03, null, { breath: 0.5 }),
  ],
  t: [
    stage(0.05, TEETH, {}),
    stage(0.014, TEETH, { hiss: 0.6, hissHz: 4800 }),
    stage(0.032, null, { breath: 0.5, hiss: 0.08, hissHz: 5200 }),
  ],
  k: [
    stage(0.055, VELUM, {}),
    stage(0.018, VELUM, { hiss: 0.5, hissHz: 2100 }),
    stage(0.035, null, { breath: 0.5 }),
  ],
  b: [stage(0.05, LIPS, { voice: 0.16 }), stage(0.01, LIPS, { voice: 0.4, hiss: 0.25, hissHz: 1000 })],
  d: [stage(0.045, TEETH, { voice: 0.16 }), stage(0.01, TEETH, { voice: 0.4, hiss: 0.3, hissHz: 4200 })],
  g: [stage(0.05, VELUM, { voice: 0.16 }), stage(0.014, VELUM, { voice: 0.4, hiss: 0.28, hissHz: 2000 })],
};
