import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';
import { near } from '../testing/near.ts';

/** Sync does not depend on the sample rate; a low one makes the tests short. */
const RATE_HZ = 11_025;
const SECONDS = 100;
const CLICK_FRAMES = 12;

/** Returns a song of clicks on its beats, whose tempo may drift: `bpmAt` takes seconds of the song. */
function clickSong(bpmAt: (seconds: number) => number, first = 0.3): TestSong {
  const beats = [first];
  for (let last = first; last < SECONDS; last = beats.at(-1)!) beats.push(last + 60 / bpmAt(last + 0.25));
  const samples = new Float32Array((SECONDS + 1) * RATE_HZ);
  for (const beat of beats)
    samples.fill(0.5, Math.round(beat * RATE_HZ), Math.round(beat * RATE_HZ) + CLICK_FRAMES);
  return {
    frames: SECONDS * RATE_HZ,
    sampleRateHz: RATE_HZ,
    sources: [(n) => samples[n] ?? 0],
    beats,
    downbeats: beats.filter((_, beat) => beat % 4 === 0),
  };
}

const even = (bpm: number) => () => bpm;
const drifting = (bpm: number, part: number, seconds: number) => (at: number) =>
  bpm * (1 + part * Math.sin((2 * Math.PI * at) / seconds));

/** An engine with deck A leading and deck B following. */
function leadAndFollow(leader: TestSong, follower: TestSong, keepsPhase = true): DjEngineRig {
  const rig = new DjEngineRig(RATE_HZ);
  rig.load('a', leader);
  rig.load('b', follower);
  rig.kernel.apply({ type: 'sync', leader: 'a', keepsPhase: true });
  rig.play('a');
  rig.render(RATE_HZ);
  rig.seek('b', 3 * RATE_HZ + 3_086);
  rig.play('b', keepsPhase);
  return rig;
}

/** Sample indices at which clicks begin. */
function clicksIn(samples: Float32Array): number[] {
  const found: number[] = [];
  for (let n = 1; n < samples.length; n++) {
    if (samples[n]! > 0.1 && samples[n - 1]! <= 0.1 && n - (found.at(-1) ?? -1_000) > 500) found.push(n);
  }
  return found;
}

/** Largest distance in ms of a click of deck B to the nearest of deck A in the output, over a number of seconds. */
function apartMs(rig: DjEngineRig, seconds: number): number {
  // Deck A alone goes to the master, deck B alone to the headphones.
  rig.strip('b', { isCued: true });
  rig.render(256);
  const { master, headphones } = rig.render(seconds * RATE_HZ);
  const leader = clicksIn(master);
  const apart = clicksIn(headphones).map((at) => Math.min(...leader.map((other) => Math.abs(other - at))));
  assert.ok(apart.length > seconds, 'deck B is audible');
  // The last click of A may be missing.
  return (1000 * Math.max(...apart.slice(0, -1))) / RATE_HZ;
}

/** Largest phase error in ms that the engine reports, read every 23 ms. */
function errorMs(rig: DjEngineRig, seconds: number, bpm: number): number {
  let most = 0;
  for (let n = 0; n < (seconds * RATE_HZ) / 256; n++) {
    rig.render(256);
    const { phaseError } = rig.report.decks.b;
    assert.notEqual(phaseError, null);
    most = Math.max(most, (Math.abs(phaseError!) * 60_000) / bpm);
  }
  return most;
}

test('a deck of 128 bpm stays within 5 ms of the beats of one of 124 for a minute', () => {
  const rig = leadAndFollow(clickSong(even(124)), clickSong(even(128), 0.41));
  const error = errorMs(rig, 60, 124);
  assert.ok(error <= 1, `${error} ms`);
  near(rig.report.decks.b.rate, 124 / 128, 1e-3);
});

test('the clicks of both decks leave the engine within 5 ms of each other', () => {
  const rig = leadAndFollow(clickSong(even(124)), clickSong(even(128), 0.41));
  const apart = apartMs(rig, 30);
  assert.ok(apart <= 5, `${apart} ms`);
});

test('a deck of 174 bpm plays its own tempo on one of 87, and one of 87 on one of 174', () => {
  for (const [lead, own] of [
    [87, 174],
    [174, 87],
    [90, 174],
    [170, 87],
  ] as const) {
    const rig = leadAndFollow(clickSong(even(lead)), clickSong(even(own), 0.41));
    const error = errorMs(rig, 20, own);
    assert.ok(error <= 1, `${own} on ${lead}: ${error} ms`);
    const wanted = lead > own ? lead / 2 / own : (lead * 2) / own;
    assert.ok(Math.abs(rig.report.decks.b.rate - wanted) < 2e-3, `rate ${rig.report.decks.b.rate}`);
  }
});

test('tempi that drift by 2 % stay within 5 ms for a minute', () => {
  const rig = leadAndFollow(clickSong(drifting(124, 0.02, 20)), clickSong(drifting(128, 0.02, 13), 0.41));
  const error = errorMs(rig, 60, 124);
  assert.ok(error <= 5, `${error} ms`);
});

test('beats detected 4 ms off make the tempo waver by less than 3 %', () => {
  const beside = clickSong(even(126));
  const jitter = (beat: number) => 0.004 * Math.sin(beat * 12.9898);
  const imprecise = { ...beside, beats: beside.beats!.map((beat, n) => beat + jitter(n)) };
  const rig = leadAndFollow(clickSong(even(124)), imprecise);
  rig.render(4 * RATE_HZ);
  let [least, most] = [9, 0];
  for (let n = 0; n < 1_000; n++) {
    rig.render(256);
    const { rate } = rig.report.decks.b;
    [least, most] = [Math.min(least, rate), Math.max(most, rate)];
  }
  assert.ok(least > 0.97 * (124 / 126) && most < 1.03 * (124 / 126), `${least} … ${most}`);
});

test('a follower that starts off the beat is corrected onto it, by at most 4 %', () => {
  const rig = leadAndFollow(clickSong(even(124)), clickSong(even(128), 0.41), false);
  for (let n = 0; n < 400; n++) {
    rig.render(256);
    near(rig.report.decks.b.rate / (124 / 128), 1, 0.0405);
  }
  const error = errorMs(rig, 10, 124);
  assert.ok(error <= 1, `${error} ms`);
});

test('sync survives loops, jumps and nudges of the leader', () => {
  const rig = leadAndFollow(clickSong(even(124)), clickSong(even(128), 0.41));
  const beat = (60 / 124) * RATE_HZ;
  const at = 0.3 * RATE_HZ + 16 * beat;
  rig.loop('a', at, at + beat);
  rig.seek('a', at);
  rig.render(12 * RATE_HZ);
  assert.ok(errorMs(rig, 10, 124) <= 1, 'a loop of a beat');
  rig.unloop('a');
  rig.seek('a', 30 * RATE_HZ);
  rig.render(10 * RATE_HZ);
  assert.ok(errorMs(rig, 5, 124) <= 1, 'a jump off the beat');
  rig.kernel.apply({ type: 'bend', deck: 'a', factor: 1.03 });
  assert.ok(errorMs(rig, 4, 124) <= 1, 'a nudge');
  rig.kernel.apply({ type: 'bend', deck: 'a', factor: 1 });
  rig.tempo('a', 1.05);
  assert.ok(errorMs(rig, 4, 124) <= 1, 'another tempo');
});

test('a follower keeps its tempo when the leader stops, is scratched, or yields the lead', () => {
  const rig = leadAndFollow(clickSong(even(124)), clickSong(even(128), 0.41));
  rig.render(4 * RATE_HZ);
  const keeps = (what: string) => {
    rig.render(RATE_HZ);
    const { rate } = rig.report.decks.b;
    assert.ok(Math.abs(rate - 124 / 128) < 2e-3, `${what}: ${rate}`);
  };
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: -2 });
  keeps('scratched');
  rig.kernel.apply({ type: 'scratch', deck: 'a', rate: null });
  rig.render(6 * RATE_HZ);
  rig.pause('a');
  keeps('stopped');
  rig.kernel.apply({ type: 'sync', leader: 'b', keepsPhase: false });
  keeps('handed over');
});

test('where a song has no beats the tempo fader applies', () => {
  const rig = leadAndFollow(clickSong(even(124)), {
    frames: 50 * RATE_HZ,
    sampleRateHz: RATE_HZ,
    sources: [() => 0.1],
  });
  rig.tempo('b', 1.02);
  rig.render(2_560);
  assert.equal(rig.report.decks.b.rate, 1.02);
  assert.equal(rig.report.decks.b.phaseError, null);
});
