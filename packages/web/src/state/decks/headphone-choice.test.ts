import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeadphoneDevice, HeadphoneOutput } from '@stem-studio/audio/dj-engine/headphone-output';
import { HeadphoneChoice } from './headphone-choice.ts';
import { parseStoredHeadphones } from './stored-headphones.ts';

const usb = { id: 'usb', label: 'USB phones' };
const hdmi = { id: 'hdmi', label: 'Screen' };

/** A headphone output whose devices a test adds, removes and lets fail; `stored` is the stored selection. */
function open(stored: HeadphoneDevice | null, ...there: HeadphoneDevice[]) {
  const world = { there, refused: '', output: null as string | null, stored, notices: [] as string[] };
  let changed = () => {};
  const output: HeadphoneOutput = {
    devices: async () => world.there,
    onChange: (listener) => {
      changed = listener;
    },
    wake: () => {},
    ask: async () => {
      throw new Error('the browser names no other outputs');
    },
    choose: async (id) => {
      world.output = null;
      if (id === world.refused) throw new Error('the headphones cannot use this output');
      world.output = id;
    },
  };
  const choice = new HeadphoneChoice(
    { read: () => world.stored, write: (device) => (world.stored = device) },
    (title, text) => world.notices.push(`${title}: ${text}`),
  );
  const plug = async (...devices: HeadphoneDevice[]) => {
    world.there = devices;
    changed();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { world, output, choice, plug };
}

test('the selected output is stored and used again when the page is opened again', async () => {
  const first = open(null, usb, hdmi);
  await first.choice.use(first.output);
  assert.equal(first.world.output, null);
  await first.choice.choose('usb');
  assert.deepEqual([first.world.output, first.world.stored], ['usb', usb]);
  assert.equal(first.choice.state.getState().chosen, 'usb');

  const again = open(first.world.stored, usb, hdmi);
  await again.choice.use(again.output);
  assert.equal(again.world.output, 'usb');
  await again.choice.choose(null);
  assert.deepEqual([again.world.output, again.world.stored, again.world.notices], [null, null, []]);
});

test('unplugged headphones are reported once, and used again when they are back', async () => {
  const { world, output, choice, plug } = open(usb, usb, hdmi);
  await choice.use(output);
  await plug(hdmi);
  assert.deepEqual([world.output, choice.state.getState().chosen], [null, null]);
  assert.match(world.notices.join(), /“USB phones” is not connected.*The master keeps playing/);
  await plug(hdmi, { id: 'bt', label: 'Other' });
  assert.equal(world.notices.length, 1);
  await plug(hdmi, usb);
  assert.deepEqual([world.output, choice.state.getState().chosen], ['usb', 'usb']);
  await plug(hdmi);
  assert.equal(world.notices.length, 2);
});

test('an output that fails leaves the headphones at the previous one', async () => {
  const { world, output, choice } = open(usb, usb, hdmi);
  world.refused = 'hdmi';
  await choice.use(output);
  await choice.choose('hdmi');
  assert.deepEqual([world.output, world.stored], ['usb', usb]);
  assert.equal(choice.state.getState().chosen, 'usb');
  assert.match(world.notices.join(), /cannot use this output/);
  await choice.askForMore();
  assert.match(world.notices.join(), /names no other outputs/);
});

test('a stored output that is missing or fails is reported as silent', async () => {
  const gone = open(usb, hdmi);
  await gone.choice.use(gone.output);
  assert.match(gone.world.notices.join(), /USB phones/);
  assert.deepEqual(gone.world.stored, usb);

  const refused = open(usb, usb);
  refused.world.refused = 'usb';
  await refused.choice.use(refused.output);
  assert.equal(refused.choice.state.getState().chosen, null);
  assert.equal(refused.world.notices.length, 1);
});

test('a window that plays no audio has no headphones', async () => {
  const { world, output, choice } = open(usb, usb);
  await choice.use(output);
  await choice.use(null);
  assert.deepEqual(choice.state.getState(), { isHere: false, devices: [], chosen: null });
  await choice.choose('usb');
  assert.equal(choice.state.getState().chosen, null);
  await choice.use(output);
  assert.equal(world.output, 'usb');
});

test('a stored selection of another format is ignored', () => {
  assert.deepEqual(parseStoredHeadphones(JSON.stringify(usb)), usb);
  for (const text of [
    null,
    '',
    '{',
    '3',
    'null',
    '{"id":"usb"}',
    '{"id":"","label":""}',
    '{"id":1,"label":"x"}',
  ])
    assert.equal(parseStoredHeadphones(text), null);
});
