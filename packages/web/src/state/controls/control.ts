import type { ControlRange, ControlSpec, ControlUnit } from '@stem-studio/contract/control-spec';
import type { ControlId } from '@stem-studio/contract/controls';
import type { Travel } from '../../base/taper.ts';

/** Calls a listener after changes, until the returned function is called. */
export type Subscribe<Args extends unknown[] = []> = (listener: (...args: Args) => void) => () => void;

/**
 * A control that can be read, set and subscribed to. All inputs and displays (screen, keyboard, MIDI, OSC, LEDs) use
 * only this interface. The functions do not depend on `this`.
 */
export interface Control {
  readonly kind: ControlSpec['kind'];
  /** Unit of the value; toggles and buttons are `ratio`, 0 or 1. */
  readonly unit: ControlUnit;
  /** Values that can be set; 0 to 1 for toggles and buttons. */
  readonly range: ControlRange;
  /** Value: in its unit if continuous; of a toggle 1 while it is on; of a button 1 while it is lit. */
  readonly read: () => number;
  /**
   * Sets the value, within its range; NaN is ignored. A toggle is on above 0. A button is pressed by any value above 0,
   * each time, and released by 0.
   */
  readonly set: (value: number) => void;
  /** Calls `listener` with the new value after each change of the value, and only then. */
  readonly subscribe: Subscribe<[value: number]>;
  /** Values at the ends of the knob or fader at present: the range, or the selected part of it. */
  readonly travel: () => Travel;
  /** Position of the knob or fader, 0 to 1. */
  readonly position: () => number;
  /** Sets the value by the position of the knob or fader, 0 to 1. */
  readonly setPosition: (position: number) => void;
}

/**
 * Every control by its address. A module contributes the rows of its own addresses; a missing or surplus row of the
 * whole table does not compile.
 */
export type ControlTable<Id extends string = ControlId> = { readonly [id in Id]: Control };

/** Presses a control as a button on the screen or a key does: toggles flip, buttons are pressed. */
export function pressControl(control: Control): void {
  if (control.kind === 'toggle') control.set(control.read() > 0 ? 0 : 1);
  else if (control.kind === 'button') control.set(1);
}

/** Releases a control that was pressed with {@link pressControl}; toggles stay as they are. */
export function releaseControl(control: Control): void {
  if (control.kind === 'button') control.set(0);
}
