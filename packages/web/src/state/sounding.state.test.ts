import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  answerSound,
  type DecksSound,
  releaseSound,
  setDecksSound,
  soundingNow,
  sounds,
  takeSound,
} from './sounding.state.ts';

const events: string[] = [];
const sound = (title: string, canUseHeadphones = false) => ({
  title,
  canUseHeadphones,
  start: (outputId: string | null) => void events.push(`start ${title} on ${outputId ?? 'master'}`),
  pause: () => void events.push(`pause ${title}`),
});
const decks: DecksSound = {
  title: 'Decks',
  headphones: 'phones',
  pause: () => {
    events.push('pause decks');
    setDecksSound(null);
  },
};
const playing = () => soundingNow(sounds.getState())?.title ?? null;

beforeEach(() => {
  sounds.setState({ player: null, decks: null, pending: null });
  events.length = 0;
});

test('a player that starts pauses the other one', () => {
  assert.equal(takeSound('preview', sound('One')), true);
  assert.equal(takeSound('track-page', sound('Two')), true);
  assert.deepEqual([playing(), events], ['Two', ['pause One']]);
  releaseSound('preview');
  assert.equal(playing(), 'Two');
  releaseSound('track-page');
  assert.equal(playing(), null);
});

test('the next song of the same player does not pause it', () => {
  takeSound('preview', sound('One'));
  takeSound('preview', sound('Two'));
  assert.deepEqual([playing(), events], ['Two', []]);
});

test('decks that start pause a player, but are not paused by one', () => {
  takeSound('preview', sound('One'));
  setDecksSound(decks);
  assert.deepEqual([playing(), events], ['Decks', ['pause One']]);
  assert.equal(takeSound('preview', sound('Two')), false);
  assert.deepEqual([playing(), sounds.getState().pending?.sound.title], ['Decks', 'Two']);
  answerSound('cancel');
  assert.deepEqual([playing(), events], ['Decks', ['pause One']]);
});

test('pauses the decks or plays on the headphones when the user says so', () => {
  setDecksSound(decks);
  takeSound('preview', sound('One', true));
  answerSound('headphones');
  assert.deepEqual([playing(), events], ['Decks', ['start One on phones']]);
  // A further song stays on the headphones without a question.
  assert.equal(takeSound('preview', sound('Two', true)), true);
  takeSound('track-page', sound('Three'));
  answerSound('pause-decks');
  assert.deepEqual(events.slice(1), ['pause decks', 'pause Two', 'start Three on master']);
  assert.equal(playing(), 'Three');
});
