/** Types of effects, with their wire names. */
export const effectTypes = [
  'echo',
  'delay',
  'reverb',
  'flanger',
  'phaser',
  'filter',
  'gate',
  'bitcrusher',
  'roll',
] as const;
/** One of {@link effectTypes}. */
export type EffectType = (typeof effectTypes)[number];

/** Beat-synced times of effects, in beats. */
export const effectBeats = [1 / 8, 1 / 4, 1 / 3, 1 / 2, 3 / 4, 1, 3 / 2, 2, 3, 4, 8, 16] as const;
/** One of {@link effectBeats}. */
export type EffectBeats = (typeof effectBeats)[number];

/** Number of slots of a deck. */
export const effectSlots = 2;
/** Number of parameters of a slot besides macro, wet and time; types with fewer leave the rest unused. */
export const effectParameterCount = 4;
/** Bounds of a time that is not synced to beats, in ms. */
export const effectMs = { min: 10, max: 4000 } as const;

/** Values of the parameters of a slot. */
export type EffectValues = [number, number, number, number];

/** A parameter of a type of effect. Its position, 0 to 1, is stored; its value is computed from it. */
export interface EffectParameterSpec {
  readonly name: string;
  readonly unit: 'percent' | 'Hz' | 'ms' | 's' | 'octaves' | 'bits' | 'choice';
  /** Value at position 0. */
  readonly min: number;
  /** Value at position 1. */
  readonly max: number;
  /** Whether equal movements are equal ratios. */
  readonly isLogarithmic: boolean;
  /** Names of the values of a `choice`, by index. */
  readonly choices: readonly string[];
  /** Positions with the macro knob at 0 and at 1; null where the knob leaves the parameter alone. */
  readonly macro: readonly [number, number] | null;
  /** Position that a slot of this type starts with, unless the macro sets it. */
  readonly rest: number;
}

/** A type of effect: its parameters and the settings that a slot gets with it. */
export interface EffectSpec {
  readonly label: string;
  readonly about: string;
  readonly parameters: readonly EffectParameterSpec[];
  /** Meaning of the time; null for a type without one. */
  readonly time: string | null;
  /** Whether it rings on after its input has ended. */
  readonly hasTail: boolean;
  readonly defaults: { readonly macro: number; readonly wet: number; readonly beats: EffectBeats };
}

/** Range that the macro moves a parameter through, or the position of one that it leaves alone. */
type Macro = readonly [number, number] | number;

function movedBy(macro: Macro): Pick<EffectParameterSpec, 'macro' | 'rest'> {
  return typeof macro === 'number' ? { macro: null, rest: macro } : { macro, rest: 0 };
}

function percent(name: string, macro: Macro, max = 1): EffectParameterSpec {
  return { name, unit: 'percent', min: 0, max, isLogarithmic: false, choices: [], ...movedBy(macro) };
}

function logarithmic(
  name: string,
  unit: 'Hz' | 'ms' | 's',
  [min, max]: readonly [number, number],
  macro: Macro,
): EffectParameterSpec {
  return { name, unit, min, max, isLogarithmic: true, choices: [], ...movedBy(macro) };
}

function linear(
  name: string,
  unit: EffectParameterSpec['unit'],
  [min, max]: readonly [number, number],
  macro: Macro,
): EffectParameterSpec {
  return { name, unit, min, max, isLogarithmic: false, choices: [], ...movedBy(macro) };
}

function choice(name: string, choices: readonly string[], macro: Macro = 0): EffectParameterSpec {
  return {
    name,
    unit: 'choice',
    min: 0,
    max: choices.length - 1,
    isLogarithmic: false,
    choices,
    ...movedBy(macro),
  };
}

/**
 * Every type of effect with its parameters, in the order of `parameter_1` to `parameter_4`.
 *
 * @spec Effects
 */
export const effectSpecs: Readonly<Record<EffectType, EffectSpec>> = {
  echo: {
    label: 'Echo',
    about: 'Repeats with a filter in the feedback',
    parameters: [
      percent('Feedback', [0.25, 0.92], 0.98),
      logarithmic('Low cut', 'Hz', [20, 2000], [0.1, 0.55]),
      logarithmic('High cut', 'Hz', [1000, 20_000], [0.95, 0.6]),
    ],
    time: 'Time between repeats',
    hasTail: true,
    defaults: { macro: 0.5, wet: 0.5, beats: 1 / 2 },
  },
  delay: {
    label: 'Delay',
    about: 'Repeats in turn on the left and on the right',
    parameters: [
      percent('Feedback', [0.2, 0.88], 0.98),
      percent('Ping-pong', 1),
      logarithmic('Low cut', 'Hz', [20, 2000], [0, 0.4]),
      logarithmic('High cut', 'Hz', [1000, 20_000], [1, 0.75]),
    ],
    time: 'Time between repeats',
    hasTail: true,
    defaults: { macro: 0.5, wet: 0.5, beats: 3 / 4 },
  },
  reverb: {
    label: 'Reverb',
    about: 'Reverberation of a hall',
    parameters: [
      logarithmic('Decay', 's', [0.3, 12], [0.2, 0.8]),
      percent('Damping', [0.7, 0.3]),
      linear('Pre-delay', 'ms', [0, 200], 0.1),
      logarithmic('Low cut', 'Hz', [20, 2000], [0.3, 0.6]),
    ],
    time: null,
    hasTail: true,
    defaults: { macro: 0.5, wet: 0.4, beats: 1 },
  },
  flanger: {
    label: 'Flanger',
    about: 'Swept comb filter',
    parameters: [
      percent('Depth', [0.2, 1]),
      logarithmic('Delay', 'ms', [0.5, 10], 0.5),
      percent('Feedback', [0.1, 0.9], 0.95),
      percent('Spread', 0.5),
    ],
    time: 'Time of a sweep',
    hasTail: false,
    defaults: { macro: 0.5, wet: 0.5, beats: 4 },
  },
  phaser: {
    label: 'Phaser',
    about: 'Swept notches of six all-pass stages',
    parameters: [
      linear('Depth', 'octaves', [0, 4], [0.2, 0.9]),
      logarithmic('Centre', 'Hz', [100, 4000], 0.5),
      percent('Feedback', [0, 0.85], 0.9),
      percent('Spread', 0.5),
    ],
    time: 'Time of a sweep',
    hasTail: false,
    defaults: { macro: 0.5, wet: 0.5, beats: 4 },
  },
  filter: {
    label: 'Filter',
    about: 'Filter whose cutoff is swept',
    parameters: [
      logarithmic('Cutoff', 'Hz', [60, 12_000], [0.7, 0.5]),
      linear('Depth', 'octaves', [0, 4], [0.1, 0.8]),
      percent('Resonance', [0.2, 0.8]),
      choice('Mode', ['Low-pass', 'Band-pass', 'High-pass']),
    ],
    time: 'Time of a sweep',
    hasTail: false,
    defaults: { macro: 0.5, wet: 1, beats: 4 },
  },
  gate: {
    label: 'Gate',
    about: 'Opens and closes in time with the beat',
    parameters: [
      linear('Open', 'percent', [0.05, 0.95], [0.9, 0.2]),
      logarithmic('Ramp', 'ms', [2, 60], [0.5, 0.1]),
    ],
    time: 'Time of a step',
    hasTail: false,
    defaults: { macro: 0.5, wet: 1, beats: 1 / 4 },
  },
  bitcrusher: {
    label: 'Bitcrusher',
    about: 'Fewer bits and a lower sample rate',
    parameters: [
      linear('Bits', 'bits', [2, 16], [0.9, 0.15]),
      logarithmic('Sample rate', 'Hz', [1000, 44_100], [0.95, 0.3]),
    ],
    time: null,
    hasTail: false,
    defaults: { macro: 0.5, wet: 1, beats: 1 },
  },
  roll: {
    label: 'Roll',
    about: 'Repeats the last beats',
    parameters: [
      choice('Division', ['1', '1/2', '1/4', '1/8'], [0, 1]),
      logarithmic('Low cut', 'Hz', [20, 2000], [0, 0.6]),
    ],
    time: 'Length of the repeated part',
    hasTail: false,
    defaults: { macro: 0, wet: 1, beats: 1 },
  },
};

/** Returns the positions of the parameters that a slot of a type starts with. */
export function restingPositions(type: EffectType): EffectValues {
  const at = (index: number) => effectSpecs[type].parameters[index]?.rest ?? 0;
  return [at(0), at(1), at(2), at(3)];
}

/** Returns the positions of the parameters after the macro knob has moved; `present` are those before. */
export function macroPositions(type: EffectType, macro: number, present: EffectValues): EffectValues {
  const at = (index: 0 | 1 | 2 | 3) => {
    const moved = effectSpecs[type].parameters[index]?.macro;
    if (!moved) return present[index];
    const [from, to] = moved;
    // Rounded, so that all machines store the same number.
    return Math.round(1e6 * (from + (to - from) * macro)) / 1e6;
  };
  return [at(0), at(1), at(2), at(3)];
}

/** Returns the value of a parameter at a position; the index of a choice. */
export function effectValue(spec: EffectParameterSpec, position: number): number {
  const { min, max, isLogarithmic, unit } = spec;
  if (unit === 'choice') return Math.round(min + (max - min) * position);
  return isLogarithmic ? min * (max / min) ** position : min + (max - min) * position;
}

/** Returns the position of a value of a parameter: the inverse of {@link effectValue}. */
export function effectPosition(spec: EffectParameterSpec, value: number): number {
  const { min, max, isLogarithmic } = spec;
  const position = isLogarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.min(1, Math.max(0, position));
}
