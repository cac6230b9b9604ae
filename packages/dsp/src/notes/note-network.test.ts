import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownNotes } from '../testing/known-notes.ts';
import {
  CONTOUR_BINS,
  createNoteNetwork,
  NOTE_SAMPLE_RATE,
  PITCH_COUNT,
  WINDOW_FRAMES,
  WINDOW_SAMPLES,
} from './note-network.ts';

/**
 * Tolerance far above the effect of summing 32-bit floats in another order (0.00006) and far below an effect on
 * thresholds.
 */
const TOLERANCE = 0.0005;

/**
 * Output of the model of @spotify/basic-pitch 1.0.1 for the window below under @tensorflow/tfjs 3.21.0 with its plain
 * backend: indices in each map, the values there, and the sum of all.
 */
const reference = {
  notes: {
    sum: 1782.308,
    picks: [
      [315, 0.09775],
      [946, 0.09938],
      [1096, 0.88717],
      [1576, 0.0971],
      [2148, 0.8214],
      [2207, 0.10592],
      [2838, 0.09231],
      [3468, 0.8164],
      [4099, 0.0961],
      [4676, 0.8776],
      [4730, 0.09965],
      [5360, 0.09762],
      [5991, 0.10567],
      [6622, 0.10895],
      [7252, 0.11777],
      [7316, 0.83299],
      [7883, 0.09871],
      [8514, 0.09663],
      [9144, 0.09919],
      [9775, 0.09909],
      [9868, 0.86448],
      [10132, 0.84632],
      [10406, 0.10285],
      [11036, 0.11982],
      [11667, 0.09635],
      [12298, 0.09568],
      [12928, 0.09867],
      [13559, 0.10061],
      [14190, 0.10023],
      [14820, 0.09569],
    ],
  },
  onsets: {
    sum: 1563.47,
    picks: [
      [100, 0.22924],
      [315, 0.10754],
      [759, 0.34948],
      [832, 0.94554],
      [946, 0.11963],
      [1508, 0.46515],
      [1576, 0.09506],
      [2207, 0.11369],
      [2838, 0.0883],
      [3468, 0.14818],
      [3532, 0.25051],
      [3708, 0.28934],
      [4099, 0.08975],
      [4730, 0.10324],
      [5360, 0.10641],
      [5991, 0.08727],
      [6622, 0.08657],
      [7252, 0.08098],
      [7883, 0.10278],
      [8514, 0.08778],
      [9144, 0.09224],
      [9775, 0.09599],
      [10406, 0.10123],
      [11036, 0.0654],
      [11667, 0.11441],
      [12298, 0.08678],
      [12928, 0.09777],
      [13559, 0.09498],
      [14190, 0.08092],
      [14820, 0.125],
    ],
  },
  contours: {
    sum: 4860.293,
    picks: [
      [946, 0.09836],
      [2838, 0.10188],
      [4597, 0.83701],
      [4730, 0.09942],
      [5137, 0.80154],
      [6622, 0.1085],
      [8514, 0.0877],
      [9349, 0.79274],
      [10406, 0.19603],
      [12298, 0.09153],
      [14190, 0.10475],
      [16082, 0.10043],
      [17974, 0.10946],
      [19866, 0.1096],
      [21758, 0.10916],
      [23650, 0.101],
      [25542, 0.11335],
      [27434, 0.10317],
      [27757, 0.78575],
      [28414, 0.80962],
      [29326, 0.09948],
      [31218, 0.10961],
      [33110, 0.08492],
      [35002, 0.09719],
      [36894, 0.11518],
      [38786, 0.10156],
      [40294, 0.81877],
      [40678, 0.10177],
      [42570, 0.09961],
      [44462, 0.10197],
    ],
  },
} as const;

function testWindow(): Float32Array {
  const notes = [
    { startSeconds: 0.1, endSeconds: 0.9, pitch: 57 },
    { startSeconds: 0.1, endSeconds: 0.9, pitch: 61 },
    { startSeconds: 1, endSeconds: 1.9, pitch: 76 },
    { startSeconds: 0.3, endSeconds: 1.8, pitch: 33 },
  ];
  return knownNotes(notes, WINDOW_SAMPLES / NOTE_SAMPLE_RATE, NOTE_SAMPLE_RATE);
}

describe('note network', () => {
  it('matches the output of the reference implementation', async () => {
    const network = await createNoteNetwork();
    network.samples.set(testWindow());
    const activations = network.listen();
    for (const name of ['onsets', 'notes', 'contours'] as const) {
      for (const [index, value] of reference[name].picks) {
        const found = activations[name][index] ?? 0;
        assert.ok(Math.abs(found - value) < TOLERANCE, `${name} ${index}: ${found}, not ${value}`);
      }
      const sum = activations[name].reduce((total, value) => total + value, 0);
      assert.ok(Math.abs(sum / reference[name].sum - 1) < TOLERANCE, `${name}: ${sum}`);
    }
  });

  it('returns three maps of one window, with identical output for repeated input', async () => {
    const network = await createNoteNetwork();
    assert.equal(network.samples.length, WINDOW_SAMPLES);
    network.samples.set(testWindow());
    const first = network.listen().onsets.slice();
    assert.equal(first.length, WINDOW_FRAMES * PITCH_COUNT);
    network.samples.fill(0);
    const silent = network.listen();
    assert.equal(silent.contours.length, WINDOW_FRAMES * CONTOUR_BINS);
    assert.ok(silent.notes.every((value) => value < 0.3));
    network.samples.set(testWindow());
    assert.deepEqual(network.listen().onsets, first);
  });
});
