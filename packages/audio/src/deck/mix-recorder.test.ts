import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeckRig, TRACK } from '../testing/deck-rig.ts';

/** Bytes of a second of the file: two samples of 24 bits, 44,100 times. */
const SECOND_BYTES = 44_100 * 6;

describe('mix recording', () => {
  it('keeps the recorded part when another window takes over the audio', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    rig.decks.startRecording();
    rig.pump(3);
    const stopped: boolean[] = [];
    rig.decks.recording.subscribe(({ isRecording }) => stopped.push(!isRecording));
    rig.decks.setAudioEnabled(false);
    assert.equal(stopped.at(-1), true);
    const { size } = await rig.decks.stopRecording();
    assert.ok(size > 2.5 * SECOND_BYTES && size < 3.1 * SECOND_BYTES, `${size}`);
  });

  it('stays readable after the audio returns, until the next recording starts', async (t) => {
    const rig = await DeckRig.open(t);
    rig.decks.startRecording();
    rig.pump(1);
    rig.decks.setAudioEnabled(false);
    rig.decks.setAudioEnabled(true);
    await rig.flush();
    assert.ok((await rig.decks.stopRecording()).size > 0.6 * SECOND_BYTES);
    rig.decks.startRecording();
    rig.pump(0.5);
    assert.ok((await rig.decks.stopRecording()).size < 0.6 * SECOND_BYTES);
  });

  it('is rejected with a message in a window without audio', async (t) => {
    const rig = await DeckRig.open(t, false);
    assert.throws(() => rig.decks.startRecording(), /only the window that plays the audio can record/);
    assert.equal(rig.decks.recording.getState().isRecording, false);
    await assert.rejects(rig.decks.stopRecording(), /nothing was recorded/);
  });
});
