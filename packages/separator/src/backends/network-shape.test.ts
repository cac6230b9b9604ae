import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyNetwork, type NetworkValue } from './network-shape.ts';

const value = (name: string, ...shape: (number | string)[]): NetworkValue => ({
  name,
  isTensor: true,
  type: 'float32',
  shape,
});

test('identifies both contracts by shape, in any order and under any name, with four and six stems', () => {
  const inside = identifyNetwork([value('a', 1, 2, 343_980)], [value('b', 1, 6, 2, 343_980)]);
  assert.deepEqual(inside, {
    contract: 'stft_inside',
    stems: 6,
    inputs: { waveform: 'a', spectrogram: null },
    outputs: { waveform: 'b', spectrogram: null },
  });
  const outside = identifyNetwork(
    [value('mag', 1, 4, 2048, 336), value('mix', 'batch', 2, 'length')],
    [value('extra', 3), value('t', 1, 4, 2, 343_980), value('z', 1, 'stems', 4, 2048, 336)],
  );
  assert.deepEqual(outside, {
    contract: 'stft_outside',
    stems: 4,
    inputs: { waveform: 'mix', spectrogram: 'mag' },
    outputs: { waveform: 't', spectrogram: 'z' },
  });
});

test('refuses an unsupported shape and names the supported ones and its own', () => {
  const mix = value('mix', 1, 2, 343_980);
  const parts = value('parts', 1, 4, 2, 343_980);
  const spectrogram = value('mag', 1, 4, 2048, 336);
  const refused: readonly (readonly [NetworkValue[], NetworkValue[]])[] = [
    [[value('image', 1, 3, 224, 224)], [value('classes', 1, 1000)]],
    [[value('mono', 1, 1, 343_980)], [parts]],
    [[value('mix', 8, 2, 343_980)], [parts]],
    [[mix], [value('parts', 1, 5, 2, 343_980)]],
    [[mix], [value('parts', 1, 'stems', 2, 343_980)]],
    [[mix], [value('parts', 1, 4, 2, 441_000)]],
    [[{ ...mix, type: 'float16' }], [parts]],
    [[mix, spectrogram], [parts]],
    [[mix, value('more', 1)], [parts]],
    [[], []],
  ];
  for (const [inputs, outputs] of refused) {
    const got = inputs.map(({ type, shape }) => `${type} [${shape?.join(', ')}]`).join(' and ');
    assert.throws(
      () => identifyNetwork(inputs, outputs),
      (error: Error) =>
        /must take float32 \[1, 2, 343980\]/.test(error.message) && error.message.includes(`takes ${got}`),
    );
  }
});
