import type {
  ButtonSpec,
  ContinuousSpec,
  ControlRange,
  ControlSpec,
} from '@stem-studio/contract/control-spec';
import { positionOf, type Travel, valueAtPosition } from '../../base/taper.ts';
import type { Control, Subscribe } from './control.ts';

/** Access to the value of a continuous control. */
export interface ContinuousBinding {
  readonly read: () => number;
  /** @param value within the range of the control */
  readonly set: (value: number) => void;
  /** Values at the ends of the knob or fader, if they are not those of the range. */
  readonly travel?: () => Travel;
  /** Further changes of the value, in addition to those common to the module's controls. */
  readonly subscribe?: Subscribe;
}

/** Access to a switch. */
export interface ToggleBinding {
  readonly isOn: () => boolean;
  readonly flip: () => void;
}

/** Actions of a button; `release` and `lit` are required exactly if its description has them. */
export type ButtonBinding<Spec> = {
  /** @param velocity of the press, above 0 up to 1 */
  readonly press: (velocity: number) => void;
} & (Spec extends { release: string } ? { readonly release: () => void } : { readonly release?: never }) &
  (Spec extends { lit: string } ? { readonly isLit: () => boolean } : { readonly isLit?: never });

/** Access to a control, by its description. */
export type ControlBinding<Spec extends ControlSpec> = Spec extends { kind: 'continuous' }
  ? ContinuousBinding
  : Spec extends { kind: 'toggle' }
    ? ToggleBinding
    : ButtonBinding<Spec>;

/** Bindings of all described controls, and of no others. */
export type ControlBindings<Specs extends Readonly<Record<string, ControlSpec>>> = {
  readonly [Name in keyof Specs]: ControlBinding<Specs[Name]>;
};

const switchRange: ControlRange = { min: 0, max: 1, rest: 0, step: 1 };
const switchTravel: Travel = switchRange;

/**
 * Controls of a module, by their names.
 *
 * @param specs descriptions of the controls
 * @param bindings access to their values
 * @param subscribe reports every change of what the bindings read
 */
export function bindControls<Specs extends Readonly<Record<string, ControlSpec>>>(
  specs: Specs,
  bindings: ControlBindings<Specs>,
  subscribe: Subscribe,
): { readonly [Name in keyof Specs]: Control } {
  const controls = Object.entries<ControlSpec>(specs).map(([name, spec]) => {
    const binding: unknown = bindings[name];
    switch (spec.kind) {
      case 'continuous':
        return [name, continuousControl(spec, binding as ContinuousBinding, subscribe)];
      case 'toggle':
        return [name, toggleControl(binding as ToggleBinding, subscribe)];
      case 'button':
        return [name, buttonControl(binding as ButtonBinding<ButtonSpec>, subscribe)];
    }
  });
  return Object.fromEntries(controls) as { readonly [Name in keyof Specs]: Control };
}

function continuousControl(
  { unit, range, taper }: ContinuousSpec,
  binding: ContinuousBinding,
  changes: Subscribe,
): Control {
  const { read, travel = () => range } = binding;
  const set = (value: number) => {
    if (!Number.isNaN(value)) binding.set(Math.min(range.max, Math.max(range.min, value)));
  };
  return {
    kind: 'continuous',
    unit,
    range,
    read,
    set,
    subscribe: onlyChanges(read, binding.subscribe ? subscribeAll([changes, binding.subscribe]) : changes),
    travel,
    position: () => positionOf(read(), travel(), taper),
    setPosition: (position) => set(valueAtPosition(position, travel(), taper)),
  };
}

function toggleControl({ isOn, flip }: ToggleBinding, changes: Subscribe): Control {
  const read = () => Number(isOn());
  const set = (value: number) => {
    if (!Number.isNaN(value) && value > 0 !== isOn()) flip();
  };
  return switchControl('toggle', read, set, changes);
}

function buttonControl(binding: ButtonBinding<ButtonSpec>, changes: Subscribe): Control {
  const { press, release, isLit } = binding as {
    press: (velocity: number) => void;
    release?: () => void;
    isLit?: () => boolean;
  };
  const pressed = createMomentaryValue();
  const set = (value: number) => {
    if (Number.isNaN(value)) return;
    if (value > 0) press(Math.min(1, value));
    else release?.();
    pressed.set(Number(value > 0));
  };
  return isLit
    ? switchControl('button', () => Number(isLit()), set, changes)
    : switchControl('button', pressed.read, set, pressed.subscribe);
}

function switchControl(
  kind: 'toggle' | 'button',
  read: () => number,
  set: (value: number) => void,
  changes: Subscribe,
): Control {
  return {
    kind,
    unit: 'ratio',
    range: switchRange,
    read,
    set,
    subscribe: onlyChanges(read, changes),
    travel: () => switchTravel,
    position: read,
    setPosition: (position) => set(position >= 0.5 ? 1 : 0),
  };
}

/** A value that nothing else remembers, such as that of a jog wheel; 0 at first. */
export function createMomentaryValue(): {
  read: () => number;
  set: (value: number) => void;
  subscribe: Subscribe;
} {
  let value = 0;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    set: (next) => {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      // A separate function per subscription, so that a listener that subscribes twice is called twice and removed
      // one at a time.
      const entry = () => listener();
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}

/** Subscribes to several sources at once. */
export function subscribeAll(sources: readonly Subscribe[]): Subscribe {
  return (listener) => {
    const ends = sources.map((source) => source(listener));
    return () => {
      for (const end of ends) end();
    };
  };
}

/** Reports the changes of a value out of reports that something may have changed. */
function onlyChanges(read: () => number, changes: Subscribe): Subscribe<[value: number]> {
  return (listener) => {
    let last = read();
    return changes(() => {
      const next = read();
      if (next === last) return;
      last = next;
      listener(next);
    });
  };
}
