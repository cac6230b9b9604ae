import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloudStemTypes } from '@stem-studio/contract/resources/stem';
import { linksOf, minutesOf, planSplits, sumOfMinutes } from './split-plan.ts';

test('plans five calls for all ten stems: vocals, five together, and synthesizer, strings and wind alone', () => {
  const splits = planSplits(cloudStemTypes);
  assert.deepEqual(
    splits.map(({ order, stemTypes }) => [order.path, stemTypes]),
    [
      ['stem_separator', ['vocals', 'backing_vocals']],
      ['multistem', ['drums', 'bass', 'electric_guitar', 'acoustic_guitar', 'piano']],
      ['stem_separator', ['synth']],
      ['stem_separator', ['strings']],
      ['stem_separator', ['wind']],
    ],
  );
  assert.deepEqual(splits.flatMap(({ stemTypes }) => stemTypes).toSorted(), cloudStemTypes.toSorted());
  assert.deepEqual(splits[1]?.order.presets['stem_list'], [
    'drum',
    'bass',
    'electric_guitar',
    'acoustic_guitar',
    'piano',
  ]);
  assert.deepEqual(
    [splits[0]?.order.presets['multivocal'], splits[2]?.order.presets['stem']],
    ['lead_back', 'synthesizer'],
  );
});

test('plans one call for vocals alone and at most six stems per call', () => {
  assert.deepEqual(
    planSplits(['vocals']).map(({ order }) => order),
    [
      {
        path: 'multistem',
        presets: {
          encoder_format: 'wav',
          extraction_level: 'deep_extraction',
          dereverb_enabled: false,
          stem_list: ['vocals'],
        },
      },
    ],
  );
  const [six] = planSplits(['piano', 'vocals', 'drums', 'bass', 'electric_guitar', 'acoustic_guitar']);
  assert.equal(six?.stemTypes.length, 6);
  assert.deepEqual(planSplits(['wind', 'synth']), planSplits(['synth', 'wind', 'wind']));
});

test('prices minutes times stems and charges backing vocals together with lead vocals', () => {
  const priceOf = (types: Parameters<typeof planSplits>[0], seconds: number) =>
    sumOfMinutes(planSplits(types).map((split) => minutesOf(split, seconds)));
  assert.equal(priceOf(cloudStemTypes, 60), 10);
  assert.equal(priceOf(cloudStemTypes, 210), 35);
  assert.equal(priceOf(['vocals'], 200), 3.4);
  assert.equal(priceOf(['backing_vocals'], 60), 2);
  assert.equal(priceOf(['drums', 'wind'], 90), 3);
  assert.equal(priceOf(['drums'], 0.2), 0.1);
});

test('identifies files by label and allows only backing vocals to be absent', () => {
  const [both] = planSplits(['vocals', 'backing_vocals']);
  const [many] = planSplits(['vocals', 'drums']);
  assert.ok(both && many);
  const stem = (label: string) => ({ type: 'stem' as const, label, url: `https://x.example/${label}` });
  const back = { type: 'back' as const, label: 'no_vocals', url: 'https://x.example/back' };
  assert.deepEqual(
    [...linksOf(both, [back, stem('vocals@0'), stem('vocals@1')])],
    [
      ['vocals', 'https://x.example/vocals@0'],
      ['backing_vocals', 'https://x.example/vocals@1'],
    ],
  );
  assert.deepEqual(
    [...linksOf(both, [stem('vocals@0')])],
    [
      ['vocals', 'https://x.example/vocals@0'],
      ['backing_vocals', null],
    ],
  );
  assert.deepEqual(
    [...linksOf(many, [stem('vocals'), { ...stem('drum'), type: 'back' }]).keys()],
    ['vocals'],
  );
});
