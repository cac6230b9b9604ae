import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '../testing/near.ts';
import { levelDb, mixerOf, RATE_HZ, render, tone } from '../testing/stem-mixer-rig.ts';
import type { StemMixer } from './stem-mixer.ts';
import type { StemTone } from './stem-mixer-messages.ts';

const centre: StemTone = { pan: 0, low: 1, mid: 1, high: 1 };
const setTone = (mixer: StemMixer, ...tones: Partial<StemTone>[]) =>
  mixer.apply({
    type: 'gains',
    gains: tones.map(() => 1),
    tones: tones.map((one) => ({ ...centre, ...one })),
  });

/** Response of one stem at a tone setting: the output for an impulse of 0.5, at full scale 1. */
function response(settings: Partial<StemTone>): Float32Array {
  const mixer = mixerOf(40_000, (n) => (n === 1_000 ? 0.1 : 0));
  setTone(mixer, settings);
  mixer.apply({ type: 'play', id: 1 });
  return render(mixer, 34_000)[0].map((sample) => 10 * sample);
}

function gainDb(impulse: Float32Array, hz: number): number {
  let [re, im] = [0, 0];
  impulse.forEach((value, n) => {
    re += value * Math.cos((2 * Math.PI * hz * n) / RATE_HZ);
    im -= value * Math.sin((2 * Math.PI * hz * n) / RATE_HZ);
  });
  return 10 * Math.log10(re * re + im * im);
}

test('the equaliser has the response of the decks, up to +12 dB, with kill', () => {
  const twelve = 10 ** (12 / 20);
  const cases: readonly (readonly [Partial<StemTone>, readonly (readonly [hz: number, db: number])[]])[] = [
    [
      { low: twelve },
      [
        [40, 12],
        [60, 12],
        [782, 0],
        [9_000, 0],
      ],
    ],
    [
      { mid: 10 ** (-24 / 20) },
      [
        [40, 0],
        [782, -24],
        [9_000, 0],
      ],
    ],
    [
      { high: twelve, low: 0.5 },
      [
        [50, -6.02],
        [782, 0],
        [9_000, 12],
      ],
    ],
    // At the crossovers each band is down by 6 dB.
    [{ low: 0 }, [[246, -6.02]]],
    [{ high: 0 }, [[2_484, -6.02]]],
  ];
  for (const [settings, levels] of cases) {
    const impulse = response(settings);
    for (const [hz, db] of levels) near(gainDb(impulse, hz), db, 0.15);
  }
  const killed = response({ low: 0 });
  for (const hz of [30, 50, 80, 100])
    assert.ok(gainDb(killed, hz) < -60, `${gainDb(killed, hz)} at ${hz} Hz`);
});

test('an equaliser back at rest passes samples unchanged again', () => {
  const song = (n: number) => Math.fround(0.4 * Math.sin(n * 0.05));
  const mixer = mixerOf(200_000, song);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 4_096);
  setTone(mixer, { low: 0 });
  render(mixer, 12_800);
  setTone(mixer, {});
  const before = 4_096 + 12_800;
  const [out] = render(mixer, 12_800);
  for (let n = 2_000; n < 12_000; n += 7) assert.equal(out[n], song(before + n - mixer.delayFrames));
});

test('the pan keeps the power, the centre is as recorded, and the far side is silent at the end', () => {
  const levels = (pan: number) => {
    const mixer = mixerOf(100_000, tone(1_000, 0.25));
    setTone(mixer, { pan });
    mixer.apply({ type: 'play', id: 1 });
    const [left, right] = render(mixer, 30_000);
    const rms = (samples: Float32Array) =>
      Math.sqrt(samples.subarray(8_820, 8_820 + 17_640).reduce((sum, x) => sum + x * x, 0) / 17_640);
    return [rms(left), rms(right)] as const;
  };
  const [own] = levels(0);
  near(own, 0.25 / Math.SQRT2, 1e-4);
  for (const pan of [-1, -0.6, -0.25, 0, 0.25, 0.6, 1]) {
    const [left, right] = levels(pan);
    near((left ** 2 + right ** 2) / (2 * own ** 2), 1, 1e-6);
    const angle = ((pan + 1) * Math.PI) / 4;
    near(left / own, Math.SQRT2 * Math.cos(angle), 1e-6);
    near(right / own, Math.SQRT2 * Math.sin(angle), 1e-6);
  }
  assert.equal(levels(-1)[1], 0);
  assert.equal(levels(1)[0], 0);
});

test('pan and equaliser of one stem leave the others alone', () => {
  const mixer = mixerOf(100_000, tone(100, 0.2), tone(5_000, 0.2));
  setTone(mixer, { pan: 1 }, { pan: -1, low: 0, mid: 0 });
  mixer.apply({ type: 'play', id: 1 });
  const [left, right] = render(mixer, 40_000).map((samples) => samples.subarray(4_410, 4_410 + 26_460));
  assert.ok(left && right);
  near(levelDb(right, 100), 20 * Math.log10(0.2 * Math.SQRT2), 0.05);
  near(levelDb(left, 5_000), 20 * Math.log10(0.2 * Math.SQRT2), 0.05);
  assert.ok(levelDb(left, 100) < -90 && levelDb(right, 5_000) < -90);
});

test('no change of pan or equaliser clicks: a 100 Hz tone stays below −80 dB from 5 kHz on', () => {
  for (const [rate, limitDb] of [
    [1, -80],
    [0.9, -70],
  ] as const) {
    const mixer = mixerOf(400_000, tone(100, 0.5));
    mixer.apply({ type: 'tempo', rate, semitones: 0, isKeyLocked: true });
    setTone(mixer, {});
    mixer.apply({ type: 'play', id: 1 });
    render(mixer, 22_050);
    const changes: Partial<StemTone>[] = [
      { pan: 0.1 },
      { pan: 0.15, low: 0.9 },
      { pan: -0.05, low: 1.1 },
      ...(rate === 1 ? [{ pan: -1 }, { low: 0 }, { low: 3.9, mid: 0 }, { pan: 1, high: 0 }] : []),
      {},
    ];
    const parts = changes.map((change) => {
      setTone(mixer, change);
      return render(mixer, 4_096 + 77);
    });
    for (const side of [0, 1] as const) {
      const out = Float32Array.from(parts.flatMap((part) => [...part[side]]));
      let highest = -200;
      for (let from = 0; from + 2_048 < out.length; from += 512)
        for (const hz of [5_000, 8_000, 12_000])
          highest = Math.max(highest, levelDb(out.subarray(from, from + 2_048), hz));
      assert.ok(highest < limitDb, `${highest} dB at rate ${rate}`);
    }
  }
});

test('under key lock a killed band stays silent, and a kill is audible within 15 ms', () => {
  const mixer = mixerOf(400_000, tone(60, 0.3), tone(5_000, 0.1));
  mixer.apply({ type: 'tempo', rate: 0.9, semitones: -2, isKeyLocked: true });
  mixer.apply({ type: 'play', id: 1 });
  const [before] = render(mixer, 44_100);
  near(levelDb(before.subarray(11_025), 60 * 2 ** (-2 / 12)), 20 * Math.log10(0.3), 0.5);
  setTone(mixer, { low: 0 }, {});
  const [after] = render(mixer, 44_100);
  const settled = after.subarray(Math.round(0.015 * RATE_HZ), 22_050);
  assert.ok(levelDb(settled, 60 * 2 ** (-2 / 12)) < -60, `${levelDb(settled, 60 * 2 ** (-2 / 12))} dB`);
  near(levelDb(after.subarray(22_050), 5_000 * 2 ** (-2 / 12)), 20 * Math.log10(0.1), 0.5);
});

test('every round of a loop has the same equalised samples, and its boundary does not click', () => {
  const mixer = mixerOf(200_000, tone(441, 0.3), (n) => 0.3 * Math.sin((2 * Math.PI * 60 * n) / RATE_HZ + 1));
  setTone(mixer, { low: 0.5, high: 0 }, { low: 0.2 });
  mixer.apply({ type: 'loop', loop: { startFrame: 30_000, endFrame: 42_000 } });
  mixer.apply({ type: 'seek', frame: 29_000, id: 1 });
  mixer.apply({ type: 'play', id: 2 });
  const [out] = render(mixer, 60_000);
  const at = 1_000 + mixer.delayFrames;
  let differs = 0;
  for (let n = 400; n < 12_000; n++)
    differs = Math.max(differs, Math.abs(out[at + 12_000 + n]! - out[at + 36_000 + n]!));
  assert.ok(differs < 1e-5, `rounds differ by ${differs}`);
  let step = 0;
  for (let n = 2_000; n < 60_000; n++) step = Math.max(step, Math.abs(out[n]! - out[n - 1]!));
  assert.ok(step < 0.03, `steepest step ${step}`);
});

test('the level of a stem is measured after pan and equaliser', () => {
  const mixer = mixerOf(100_000, tone(60, 0.3), tone(60, 0.3));
  setTone(mixer, { low: 0 }, { pan: -1 });
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 22_050);
  mixer.stemPeaks.fill(0);
  render(mixer, 4_410);
  const [killed = 1, panned = 0] = mixer.stemPeaks;
  assert.ok(killed < 1e-3, `${killed}`);
  near(panned, 0.3 * Math.SQRT2, 1e-3);
});
