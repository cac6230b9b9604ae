import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControlSpec } from '@stem-studio/contract/control-spec';
import { createStore } from 'zustand/vanilla';
import { bindControls } from './bind-controls.ts';
import { type ControlTable, pressControl, releaseControl } from './control.ts';

/** Controls of a test module. */
const specs = {
  speed: {
    kind: 'continuous',
    about: 'Speed',
    unit: 'percent',
    range: { min: -50, max: 100, rest: 0, step: 1 },
    taper: 'centred',
    choices: [],
  },
  repeat: { kind: 'toggle', about: 'Repeat' },
  rewind: { kind: 'button', press: 'Rewinds while held', release: 'Stops', lit: null },
  arm: { kind: 'button', press: 'Arms the recording', release: null, lit: 'the recording is armed' },
} as const satisfies Record<string, ControlSpec>;

function createTransport() {
  const calls: string[] = [];
  const store = createStore(() => ({ speed: 0, isRepeating: false, isArmed: false }));
  const controls: ControlTable<keyof typeof specs> = bindControls(
    specs,
    {
      speed: { read: () => store.getState().speed, set: (speed) => store.setState({ speed }) },
      repeat: {
        isOn: () => store.getState().isRepeating,
        flip: () => store.setState(({ isRepeating }) => ({ isRepeating: !isRepeating })),
      },
      rewind: { press: () => calls.push('rewind'), release: () => calls.push('stop') },
      arm: { press: () => store.setState({ isArmed: true }), isLit: () => store.getState().isArmed },
    },
    store.subscribe,
  );
  return { controls, calls, store };
}

test('a module contributes the controls that it describes, each with its own access', () => {
  const noAccess = {};
  // @ts-expect-error -- a control without a binding does not compile
  assert.throws(() => bindControls(specs, noAccess, () => () => {})['speed'].read());
  const tooMuch = { on: { isOn: () => true, flip: () => {} }, off: { isOn: () => true, flip: () => {} } };
  const { on, off } = tooMuch;
  // @ts-expect-error -- a binding without a control does not compile
  bindControls({ on: specs.repeat }, { on, off }, () => () => {});
  // @ts-expect-error -- a toggle cannot be bound as a button
  bindControls({ on: specs.repeat }, { on: { press: () => {} } }, () => () => {});
  // @ts-expect-error -- a button with a release needs one
  bindControls({ rewind: specs.rewind }, { rewind: { press: () => {} } }, () => () => {});
});

test('lights a button without a `lit` condition while it is pressed, and reports it', () => {
  const { controls, calls } = createTransport();
  const values: number[] = [];
  controls.rewind.subscribe((value) => values.push(value));
  pressControl(controls.rewind);
  assert.equal(controls.rewind.read(), 1);
  releaseControl(controls.rewind);
  assert.deepEqual(
    [values, calls],
    [
      [1, 0],
      ['rewind', 'stop'],
    ],
  );
});

test('reads the `lit` condition of a button that has one', () => {
  const { controls } = createTransport();
  controls.arm.set(1);
  controls.arm.set(0);
  assert.equal(controls.arm.read(), 1);
});

test('flips a toggle when pressed, and applies the state that it is set to', () => {
  const { controls } = createTransport();
  pressControl(controls.repeat);
  releaseControl(controls.repeat);
  assert.equal(controls.repeat.read(), 1);
  controls.repeat.set(1);
  assert.equal(controls.repeat.read(), 1);
  controls.repeat.setPosition(0);
  assert.equal(controls.repeat.read(), 0);
});

test('calls listeners only for their own control, and removes them one by one', () => {
  const { controls, store } = createTransport();
  const values: number[] = [];
  const listener = (value: number) => values.push(value);
  const first = controls.speed.subscribe(listener);
  controls.speed.subscribe(listener);
  store.setState({ isArmed: true });
  controls.speed.set(Number.NaN);
  controls.speed.set(0);
  assert.deepEqual(values, []);
  controls.speed.set(500);
  assert.deepEqual(values, [100, 100]);
  first();
  controls.speed.setPosition(0.25);
  assert.deepEqual(values, [100, 100, -25]);
});
