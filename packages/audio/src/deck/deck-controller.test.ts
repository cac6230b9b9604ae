import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beatAt } from '@stem-studio/dsp/time/beat-position';
import { beatsOf, DeckRig, GONE_TRACK, OTHER_TRACK, SONG_SECONDS, TRACK } from '../testing/deck-rig.ts';

/** Reports come every 23 ms, and the output latency is 20 ms. */
const CLOSE_SECONDS = 0.05;

function close(got: number, wanted: number, within = CLOSE_SECONDS): void {
  assert.ok(Math.abs(got - wanted) <= within, `${got} must be ${wanted} within ${within}`);
}

/** Returns the beat phase of a position, 0 to 1. */
function phaseAt(seconds: number): number {
  const beat = beatAt(seconds, beatsOf(TRACK));
  return beat - Math.floor(beat);
}

describe('deck with audio', () => {
  it('loads a song, plays it and shows the audible position', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    assert.equal(rig.decks.local.getState().a.status, 'ready');
    assert.equal(rig.decks.local.getState().a.durationSeconds, SONG_SECONDS);
    rig.decks.togglePlay('a');
    rig.pump(3);
    assert.equal(rig.decks.local.getState().a.transport, 'playing');
    close(rig.renderedSeconds('a'), 3, 0.01);
    close(rig.decks.positionSeconds('a'), rig.renderedSeconds('a') - 0.02, 0.005);
    rig.decks.togglePlay('a');
    rig.pump(1);
    assert.equal(rig.decks.local.getState().a.transport, 'paused');
    assert.equal(rig.decks.positionSeconds('a'), rig.renderedSeconds('a'));
    close(rig.decks.session.getState().decks.a.position_ms, rig.renderedSeconds('a') * 1000, 1);
  });

  it('starts when its audio has loaded if play was pressed before', async (t) => {
    const rig = await DeckRig.open(t);
    const loading = rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    rig.pump(1);
    assert.equal(rig.decks.positionSeconds('a'), 0);
    await loading;
    rig.pump(1);
    close(rig.decks.positionSeconds('a'), 1);
  });

  it('is restored paused at its position, with its loop', async (t) => {
    const rig = await DeckRig.open(t, false);
    await rig.load('a', TRACK);
    rig.remote({ event: 'seek', deck: 'a', position_ms: 12_345 });
    const loop = { start_ms: 12_000, end_ms: 14_000, active: true };
    rig.remote({ event: 'set_loop', deck: 'a', loop });
    rig.decks.setAudioEnabled(true);
    await rig.until(() => rig.decks.local.getState().a.loadedRatio === 1);
    rig.pump(0.1);
    close(rig.renderedSeconds('a'), 12.345, 1e-4);
    assert.deepEqual(rig.sent.slice(1), []);
    rig.decks.togglePlay('a');
    rig.pump(4);
    close(rig.renderedSeconds('a'), 12.345 + 4 - 2 * 2, 0.02);
  });

  it('continues with the stems of its song at the same position', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    rig.pump(3);
    await rig.loadStems('a');
    rig.pump(1);
    assert.equal(rig.deck('a').transport, 'playing');
    close(rig.renderedSeconds('a'), 4, 0.01);
    assert.equal(rig.deck('a').sourcePeaks.length, 2);
    close(rig.decks.positionSeconds('a'), 4);
  });

  it('reports a failed load while the other deck keeps playing', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    await rig.load('b', GONE_TRACK);
    assert.equal(rig.decks.local.getState().b.status, 'failed');
    assert.match(rig.decks.local.getState().b.error, /no longer exists/);
    rig.pump(1);
    close(rig.decks.positionSeconds('a'), 1);
  });

  it('loads a song that failed to load when play is pressed or the song is loaded again', async (t) => {
    for (const again of ['play', 'load'] as const) {
      const rig = await DeckRig.open(t);
      await rig.load('a', GONE_TRACK);
      assert.equal(rig.decks.local.getState().a.status, 'failed');
      await rig.restoreGoneTrack();
      if (again === 'play') rig.decks.togglePlay('a');
      else rig.decks.dispatch({ event: 'load_track', deck: 'a', track_id: GONE_TRACK });
      await rig.until(() => rig.decks.local.getState().a.loadedRatio === 1);
      assert.equal(rig.decks.local.getState().a.status, 'ready');
      rig.pump(1);
      close(rig.renderedSeconds('a'), again === 'play' ? 1 : 0);
    }
  });

  it('retries a failed load at its position, with its cue, hot cues and loop', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', GONE_TRACK);
    const cue = { position_ms: 9_250, end_ms: null, label: '', color: '#ff5d5d', cue_point_id: null };
    rig.decks.dispatch({ event: 'set_hot_cue', deck: 'a', slot: 1, cue });
    rig.decks.dispatch({ event: 'set_cue', deck: 'a', position_ms: 2_250 });
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 12_345 });
    rig.decks.beatLoop('a', 4);
    const before = rig.decks.session.getState();
    rig.sent.length = 0;
    rig.decks.retry('a');
    await rig.until(() => rig.decks.local.getState().a.status === 'failed');
    await rig.restoreGoneTrack();
    rig.decks.retry('a');
    assert.deepEqual(
      [rig.decks.local.getState().a.status, rig.decks.local.getState().a.error],
      ['loading', ''],
    );
    await rig.until(() => rig.decks.local.getState().a.loadedRatio === 1);
    rig.pump(0.2);
    assert.equal(rig.decks.local.getState().a.status, 'ready');
    assert.deepEqual(rig.decks.session.getState(), before);
    close(rig.renderedSeconds('a'), before.decks.a.position_ms / 1000, 1e-4);
    assert.deepEqual(rig.sent, []);
    // A deck that has not failed has nothing to retry.
    rig.decks.retry('a');
    assert.equal(rig.decks.local.getState().a.status, 'ready');
  });

  it('returns to the start, paused, when its song is loaded again', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    rig.pump(3);
    await rig.load('a', TRACK);
    rig.pump(0.1);
    assert.equal(rig.deck('a').transport, 'paused');
    assert.equal(rig.renderedSeconds('a'), 0);
    assert.equal(rig.decks.session.getState().decks.a.duration_ms, SONG_SECONDS * 1000);
  });

  it('warns before it is overwritten while it plays', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    assert.equal(rig.decks.isOverwriteRisky('a'), false);
    rig.decks.togglePlay('a');
    assert.equal(rig.decks.isOverwriteRisky('a'), true);
  });

  it('announces its end half a minute before, stops there, and passes the tempo lead to the other deck', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    await rig.load('b', OTHER_TRACK);
    rig.decks.togglePlay('a');
    rig.decks.togglePlay('b');
    rig.pump(9);
    assert.equal(rig.decks.local.getState().a.isEnding, false);
    rig.pump(2);
    assert.equal(rig.decks.local.getState().a.isEnding, true);
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 39_000 });
    assert.equal(rig.decks.session.getState().mixer.master_deck, 'a');
    rig.pump(2);
    const { decks, mixer } = rig.decks.session.getState();
    assert.equal(decks.a.is_playing, false);
    assert.equal(mixer.master_deck, 'b');
    close(rig.decks.positionSeconds('a'), SONG_SECONDS, 1e-3);
    assert.equal(rig.decks.local.getState().a.isEnding, false);
    rig.decks.togglePlay('a');
    rig.pump(1);
    close(rig.decks.positionSeconds('a'), 1);
  });

  it('announces its end again after a long jump or new song, not after a loop, pause or short jump', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    const announced: boolean[] = [];
    rig.decks.local.subscribe(({ a }, before) => {
      if (a.isEnding !== before.a.isEnding) announced.push(a.isEnding);
    });
    const seek = (seconds: number) => {
      rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: seconds * 1000 });
      rig.pump(0.5);
    };
    const isLooping = (active: boolean) => {
      const loop = { start_ms: 20_000, end_ms: 21_000, active };
      rig.decks.dispatch({ event: 'set_loop', deck: 'a', loop });
      rig.pump(2.5);
    };
    seek(20);
    assert.deepEqual(announced, [true]);
    isLooping(true);
    isLooping(false);
    assert.deepEqual(announced, [true], 'a loop belongs to the pass');
    rig.decks.togglePlay('a');
    rig.pump(0.5);
    rig.decks.togglePlay('a');
    rig.pump(0.5);
    rig.decks.scratch('a', -1);
    rig.pump(0.5);
    rig.decks.scratch('a', null);
    rig.pump(0.5);
    seek(8);
    seek(12);
    assert.deepEqual(announced, [true], 'so do a pause, a touch of the platter and a small jump');
    seek(4);
    assert.deepEqual(announced, [true, false]);
    seek(20);
    assert.deepEqual(announced, [true, false, true]);
    rig.decks.dispatch({ event: 'load_track', deck: 'a', track_id: null });
    await rig.load('a', OTHER_TRACK);
    assert.deepEqual(announced, [true, false, true, false]);
  });

  it('releases all audio resources when disposed', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    rig.decks.dispose();
    assert.equal(rig.isOpen, false);
    const { length } = rig.commands;
    await rig.flush();
    rig.pump(1);
    assert.equal(rig.commands.length, length);
  });

  it('stops its audio when another window takes over, and keeps its position by the clock', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.togglePlay('a');
    rig.pump(2);
    rig.decks.setAudioEnabled(false);
    assert.equal(rig.isOpen, false);
    rig.pump(2);
    close(rig.decks.positionSeconds('a'), 4);
    rig.decks.setAudioEnabled(true);
    await rig.until(() => rig.decks.local.getState().a.loadedRatio === 1);
    rig.pump(1);
    close(rig.decks.positionSeconds('a'), 5, 0.1);
  });
});

describe('CUE', () => {
  it('sets the cue on the nearest beat, and moves the position there', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 5_300 });
    rig.pump(0.1);
    rig.decks.pressCue('a');
    rig.decks.releaseCue('a');
    rig.pump(0.1);
    assert.equal(rig.decks.session.getState().decks.a.cue_ms, 5_250);
    close(rig.renderedSeconds('a'), 5.25, 1e-4);
  });

  it('plays from the cue while held, and returns to it on release', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.pressCue('a');
    rig.pump(1);
    close(rig.renderedSeconds('a'), 1, 0.01);
    assert.deepEqual(rig.decks.local.getState().a.preview, { button: 'cue', position_ms: 0 });
    rig.decks.releaseCue('a');
    rig.pump(0.2);
    assert.equal(rig.deck('a').transport, 'paused');
    assert.equal(rig.decks.positionSeconds('a'), 0);
  });

  it('continues playing when play is pressed during the preview', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.pressCue('a');
    rig.pump(0.5);
    rig.decks.togglePlay('a');
    rig.decks.releaseCue('a');
    rig.pump(0.5);
    close(rig.renderedSeconds('a'), 1, 0.01);
    assert.equal(rig.deck('a').transport, 'playing');
  });

  it('returns a playing deck to its cue and stops it', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.dispatch({ event: 'set_cue', deck: 'a', position_ms: 2_250 });
    rig.decks.togglePlay('a');
    rig.pump(7);
    rig.decks.pressCue('a');
    rig.pump(0.2);
    assert.equal(rig.decks.session.getState().decks.a.is_playing, false);
    close(rig.decks.positionSeconds('a'), 2.25, 1e-4);
  });
});

describe('hot cue', () => {
  it('is set on the beat when the slot is empty, and jumps when the slot is set', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 8_400 });
    rig.pump(0.1);
    rig.decks.pressHotCue('a', 2);
    assert.equal(rig.decks.session.getState().decks.a.hot_cues[0]?.position_ms, 8_250);
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 1_000 });
    rig.decks.pressHotCue('a', 2);
    rig.decks.releaseHotCue('a', 2);
    rig.pump(0.1);
    close(rig.renderedSeconds('a'), 8.25, 1e-4);
    rig.decks.deleteHotCue('a', 2);
    assert.deepEqual(rig.decks.session.getState().decks.a.hot_cues, []);
  });

  it('keeps the beat phase when the deck plays and is quantized', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    const cue = { position_ms: 20_250, end_ms: null, label: '', color: '#ff5d5d', cue_point_id: null };
    rig.decks.dispatch({ event: 'set_hot_cue', deck: 'a', slot: 0, cue });
    rig.decks.togglePlay('a');
    rig.pump(3.4);
    const before = phaseAt(rig.renderedSeconds('a'));
    rig.decks.pressHotCue('a', 0);
    close(phaseAt(rig.renderedSeconds('a')), before, 0.001);
    close(rig.renderedSeconds('a'), 20.25, 0.26);
    rig.pump(0.5);
    // The other windows get the resulting position.
    close(rig.decks.session.getState().decks.a.position_ms / 1000, 20.25, 0.3);
    assert.equal(rig.sent.at(-1)?.event, 'report_position');
  });

  it('is a saved loop when it has an end', async (t) => {
    const rig = await DeckRig.open(t);
    await rig.load('a', TRACK);
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 4_250 });
    rig.pump(0.1);
    rig.decks.beatLoop('a', 4);
    rig.decks.saveLoop('a');
    rig.decks.toggleLoop('a');
    rig.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 1_000 });
    rig.decks.pressHotCue('a', 0);
    rig.decks.togglePlay('a');
    rig.decks.releaseHotCue('a', 0);
    rig.pump(5);
    close(rig.renderedSeconds('a'), 4.25 + 1, 0.02);
  });
});
