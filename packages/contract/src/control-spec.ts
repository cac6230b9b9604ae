/** Range of a continuous control in its own unit; `rest` is its neutral value, `step` one arrow key or wheel notch. */
export interface ControlRange {
  readonly min: number;
  readonly max: number;
  readonly rest: number;
  readonly step: number;
}

/** Unit of a continuous control: `ratio` 0 to 1, `bipolar` −1 to 1 around a centre, `choice` an index into a list. */
export type ControlUnit =
  | 'percent'
  | 'semitones'
  | 'dB'
  | 'LUFS'
  | 's'
  | 'ms'
  | 'ratio'
  | 'bipolar'
  | 'choice';

/**
 * Mapping of values to the position of a knob or fader: `linear`, or `centred` with 0 in the middle of the travel
 * even when the range is asymmetric.
 */
export type ControlTaper = 'linear' | 'centred';

/** A knob, fader or selector. */
export interface ContinuousSpec {
  readonly kind: 'continuous';
  readonly about: string;
  readonly unit: ControlUnit;
  readonly range: ControlRange;
  readonly taper: ControlTaper;
  /** Names of the values of a `choice`, by index. */
  readonly choices: readonly string[];
}

/** Toggle switch: 1 is on, 0 is off; pressing its button flips it. */
export interface ToggleSpec {
  readonly kind: 'toggle';
  readonly about: string;
}

/** Button: 1 presses it, 0 releases it. It reads 1 while it is lit. */
export interface ButtonSpec {
  readonly kind: 'button';
  /** Effect of a press. */
  readonly press: string;
  /** Effect of the release; null if there is none. */
  readonly release: string | null;
  /** Condition under which the button is lit; null if it is lit exactly while pressed. */
  readonly lit: string | null;
}

/** Description of a control, without its read and set functions. */
export type ControlSpec = ContinuousSpec | ToggleSpec | ButtonSpec;

/** Returns a knob, fader or selector; its taper is linear by default. */
export function continuous(
  about: string,
  unit: ControlUnit,
  range: ControlRange,
  { taper = 'linear', choices = [] }: { taper?: ControlTaper; choices?: readonly string[] } = {},
): ContinuousSpec {
  return { kind: 'continuous', about, unit, range, taper, choices };
}

/** Returns a control from −1 to 1. */
export function bipolar(about: string, rest = 0): ContinuousSpec {
  return continuous(about, 'bipolar', { min: -1, max: 1, rest, step: 0.05 });
}

/** Returns a control from 0 to 1. */
export function ratio(about: string, rest = 1): ContinuousSpec {
  return continuous(about, 'ratio', { min: 0, max: 1, rest, step: 0.05 });
}

/** Returns a selector of one of `choices`; its value is their index. */
export function choice(about: string, choices: readonly string[], rest = 0): ContinuousSpec {
  return continuous(about, 'choice', { min: 0, max: choices.length - 1, rest, step: 1 }, { choices });
}

/** Formats a number of beats: `1/8`, `3/4`, `4`. */
export function beatsText(beats: number): string {
  const fractions: Readonly<Record<number, string>> = { [3 / 4]: '3/4', [3 / 2]: '3/2' };
  return fractions[beats] ?? (beats < 1 ? `1/${1 / beats}` : String(beats));
}

/** Returns a toggle switch. */
export function toggle(about: string): ToggleSpec {
  return { kind: 'toggle', about };
}

/** Returns a button that acts when pressed. */
export function button(press: string) {
  return { kind: 'button', press, release: null, lit: null } as const;
}

/** Returns a button that acts for as long as it is held. */
export function heldButton(press: string, release: string) {
  return { kind: 'button', press, release, lit: null } as const satisfies ButtonSpec;
}
