import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeadphoneDevice, HeadphoneOutput } from '@stem-studio/audio/booth/headphone-output';
import { HeadphoneChoice } from './headphone-choice.ts';
import { parseStoredHeadphones } from './stored-headphones.ts';

const usb = { id: 'usb', label: 'USB phones' };
const hdmi = { id: 'hdmi', label: 'Screen' };

/** An output whose devices come, go and refuse as a test says, with a browser that keeps `kept`. */
function open(kept: HeadphoneDevice | null, ...there: HeadphoneDevice[]) {
  const world = { there, refused: '', heard: null as string | null, kept, told: [] as string[] };
  let changed = () => {};
  const output: HeadphoneOutput = {
    devices: async () => world.there,
    onChange: (heard) => {
      changed = heard;
    },
    wake: () => {},
    ask: async () => {
      throw new Error('the browser names no other outputs');
    },
    choose: async (id) => {
      world.heard = null;
      if (id === world.refused) throw new Error('the headphones cannot be heard there');
      world.heard = id;
    },
  };
  const choice = new HeadphoneChoice(
    { read: () => world.kept, write: (device) => (world.kept = device) },
    (title, words) => world.told.push(`${title}: ${words}`),
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
  assert.equal(first.world.heard, null);
  await first.choice.choose('usb');
  assert.deepEqual([first.world.heard, first.world.kept], ['usb', usb]);
  assert.equal(first.choice.state.getState().chosen, 'usb');

  const again = open(first.world.kept, usb, hdmi);
  await again.choice.use(again.output);
  assert.equal(again.world.heard, 'usb');
  await again.choice.choose(null);
  assert.deepEqual([again.world.heard, again.world.kept, again.world.told], [null, null, []]);
});

test('unplugged headphones are reported once, and used again when they are back', async () => {
  const { world, output, choice, plug } = open(usb, usb, hdmi);
  await choice.use(output);
  await plug(hdmi);
  assert.deepEqual([world.heard, choice.state.getState().chosen], [null, null]);
  assert.match(world.told.join(), /“USB phones” is not connected.*The master plays on/);
  await plug(hdmi, { id: 'bt', label: 'Other' });
  assert.equal(world.told.length, 1);
  await plug(hdmi, usb);
  assert.deepEqual([world.heard, choice.state.getState().chosen], ['usb', 'usb']);
  await plug(hdmi);
  assert.equal(world.told.length, 2);
});

test('an output that fails leaves the headphones at the previous one', async () => {
  const { world, output, choice } = open(usb, usb, hdmi);
  world.refused = 'hdmi';
  await choice.use(output);
  await choice.choose('hdmi');
  assert.deepEqual([world.heard, world.kept], ['usb', usb]);
  assert.equal(choice.state.getState().chosen, 'usb');
  assert.match(world.told.join(), /cannot be heard there/);
  await choice.askForMore();
  assert.match(world.told.join(), /names no other outputs/);
});

test('a stored output that is missing or fails is reported as silent', async () => {
  const gone = open(usb, hdmi);
  await gone.choice.use(gone.output);
  assert.match(gone.world.told.join(), /USB phones/);
  assert.deepEqual(gone.world.kept, usb);

  const refused = open(usb, usb);
  refused.world.refused = 'usb';
  await refused.choice.use(refused.output);
  assert.equal(refused.choice.state.getState().chosen, null);
  assert.equal(refused.world.told.length, 1);
});

test('a window that plays no audio has no headphones', async () => {
  const { world, output, choice } = open(usb, usb);
  await choice.use(output);
  await choice.use(null);
  assert.deepEqual(choice.state.getState(), { isHere: false, devices: [], chosen: null });
  await choice.choose('usb');
  assert.equal(choice.state.getState().chosen, null);
  await choice.use(output);
  assert.equal(world.heard, 'usb');
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
