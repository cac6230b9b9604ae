import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KnownNote, knownNotes } from '../testing/known-notes.ts';
import { defaultNoteOptions, type NoteEvent } from './note-event.ts';
import { createNoteListener, type NoteMap } from './note-map.ts';
import { notesIn } from './notes-in.ts';

const RATE = 44_100;

async function mapOf(samples: Float32Array, sampleRate = RATE, blockSize = 10_000): Promise<NoteMap> {
  const listener = await createNoteListener({ sampleRate, channels: 1 });
  for (let at = 0; at < samples.length; at += blockSize)
    listener.push([samples.subarray(at, at + blockSize)]);
  return listener.finish();
}

async function detectNotes(samples: Float32Array, isMonophonic = false): Promise<NoteEvent[]> {
  return notesIn(await mapOf(samples), { ...defaultNoteOptions, isMonophonic });
}

/** Asserts that each written note is found once, within 50 ms and at its pitch, and no others are found. */
function assertNotes(found: readonly NoteEvent[], written: readonly KnownNote[]): void {
  const detectedText = found
    .map(({ pitch, startSeconds }) => `${pitch} at ${startSeconds.toFixed(2)}`)
    .join(', ');
  assert.equal(found.length, written.length, detectedText);
  for (const { pitch, startSeconds, endSeconds } of written) {
    const near = found.find(
      (note) => note.pitch === pitch && Math.abs(note.startSeconds - startSeconds) < 0.05,
    );
    assert.ok(near, `${pitch} at ${startSeconds} is not among ${detectedText}`);
    assert.ok(Math.abs(near.endSeconds - endSeconds) < 0.15, `ends at ${near.endSeconds}`);
    assert.ok(near.amplitude > 0.3 && near.amplitude <= 1);
  }
}

const noteOf = (pitch: number, startSeconds: number, seconds = 0.4): KnownNote => ({
  pitch,
  startSeconds,
  endSeconds: startSeconds + seconds,
});

describe('note detection', () => {
  it('finds the played notes across several windows of the network', async () => {
    const written = [48, 50, 52, 53, 55, 57, 59, 60, 67, 72].map((pitch, at) => noteOf(pitch, 0.2 + at / 2));
    assertNotes(await detectNotes(knownNotes(written, 5.5, RATE)), written);
  });

  it('finds simultaneous notes of a chord', async () => {
    const written = [60, 64, 67].map((pitch) => noteOf(pitch, 0.5, 1));
    assertNotes(await detectNotes(knownNotes(written, 2, RATE)), written);
  });

  it('finds one note at a time in monophonic mode, and separates repeated notes of one pitch', async () => {
    const written = [noteOf(57, 0.3), noteOf(57, 0.8), noteOf(60, 1.3), noteOf(55, 1.8)];
    const found = await detectNotes(knownNotes(written, 2.5, RATE), true);
    assertNotes(found, written);
    found.forEach((note, at) => assert.ok(at === 0 || note.startSeconds >= (found[at - 1]?.endSeconds ?? 0)));
  });

  it('reports the deviation from the pitch in cents', async () => {
    for (const cents of [-30, 0, 20, 40]) {
      const [note] = await detectNotes(knownNotes([noteOf(60 + cents / 100, 0.3, 1)], 1.6, RATE), true);
      assert.equal(note?.pitch, 60);
      const middle = note.bendsCents.slice(5, -10);
      const mean = middle.reduce((sum, bend) => sum + bend, 0) / middle.length;
      assert.ok(Math.abs(mean - cents) < 10, `${mean}, not ${cents}`);
    }
  });

  it('finds fewer notes with higher thresholds, and none shorter than the minimum length', async () => {
    const map = await mapOf(knownNotes([noteOf(57, 0.2), noteOf(64, 0.7, 0.1), noteOf(69, 1)], 1.8, RATE));
    const strict = notesIn(map, {
      ...defaultNoteOptions,
      onsetThreshold: 0.95,
      frameThreshold: 0.95,
      isMonophonic: false,
    });
    assert.deepEqual(strict, []);
    const long = notesIn(map, { ...defaultNoteOptions, minimumNoteSeconds: 0.3, isMonophonic: false });
    assert.deepEqual(
      long.map(({ pitch }) => pitch),
      [57, 69],
    );
    assert.ok(long.every(({ startSeconds, endSeconds }) => endSeconds - startSeconds > 0.29));
  });

  it('does not depend on the block size', async () => {
    const samples = knownNotes([noteOf(60, 0.2), noteOf(67, 0.9)], 1.6, RATE);
    const whole = await mapOf(samples, RATE, samples.length);
    const cut = await mapOf(samples, RATE, 777);
    assert.deepEqual(cut.notes, whole.notes);
    assert.equal(whole.frames, Math.ceil((1.6 * 22_050) / 256));
  });

  const strange: readonly (readonly [string, (at: number) => number])[] = [
    ['silence', () => 0],
    ['an offset', () => 0.5],
    ['a click', (at) => (at === 9000 ? 1 : 0)],
    ['no numbers', () => Number.NaN],
    ['infinity', () => Number.POSITIVE_INFINITY],
    ['what is beyond all sound', () => 1e30],
  ];
  for (const [name, sample] of strange) {
    it(`finds no notes in ${name}, and returns only finite values`, async () => {
      for (const length of [0, 1, 3 * RATE]) {
        const map = await mapOf(Float32Array.from({ length }, (_, at) => sample(at)));
        assert.ok([...map.notes, ...map.onsets, ...map.power, ...map.flatness].every(Number.isFinite));
        for (const isMonophonic of [false, true]) {
          assert.deepEqual(notesIn(map, { ...defaultNoteOptions, isMonophonic }), []);
        }
      }
    });
  }

  it('finds no notes in noise, loud or soft', async () => {
    for (const level of [0.5, 0.001]) {
      let state = 7;
      const noise = Float32Array.from({ length: 3 * RATE }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return level * (state / 1_073_741_823.5 - 1);
      });
      assert.deepEqual(await detectNotes(noise), []);
      assert.deepEqual(await detectNotes(noise, true), []);
    }
  });

  it('ignores separation residue during a pause', async () => {
    const loud = knownNotes([noteOf(60, 0.2)], 4, RATE);
    const soft = knownNotes([noteOf(72, 2.5)], 4, RATE);
    const mixed = loud.map((sample, at) => sample + 0.0005 * (soft[at] ?? 0));
    assert.deepEqual(
      (await detectNotes(mixed)).map(({ pitch }) => pitch),
      [60],
    );
  });
});
