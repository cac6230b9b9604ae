import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  answerOutputQuestion,
  type DecksOutput,
  nowPlaying,
  outputUse,
  releaseOutput,
  setDecksOutput,
  takeOutput,
} from './output-use.state.ts';

const events: string[] = [];
const output = (title: string, canUseHeadphones = false) => ({
  title,
  canUseHeadphones,
  start: (outputId: string | null) => void events.push(`start ${title} on ${outputId ?? 'master'}`),
  pause: () => void events.push(`pause ${title}`),
});
const decks: DecksOutput = {
  title: 'Decks',
  headphones: 'phones',
  pause: () => {
    events.push('pause decks');
    setDecksOutput(null);
  },
};
const playing = () => nowPlaying(outputUse.getState())?.title ?? null;

beforeEach(() => {
  outputUse.setState({ player: null, decks: null, pending: null });
  events.length = 0;
});

test('a player that starts pauses the other one', () => {
  assert.equal(takeOutput('preview', output('One')), true);
  assert.equal(takeOutput('track-page', output('Two')), true);
  assert.deepEqual([playing(), events], ['Two', ['pause One']]);
  releaseOutput('preview');
  assert.equal(playing(), 'Two');
  releaseOutput('track-page');
  assert.equal(playing(), null);
});

test('the next song of the same player does not pause it', () => {
  takeOutput('preview', output('One'));
  takeOutput('preview', output('Two'));
  assert.deepEqual([playing(), events], ['Two', []]);
});

test('decks that start pause a player, but are not paused by one', () => {
  takeOutput('preview', output('One'));
  setDecksOutput(decks);
  assert.deepEqual([playing(), events], ['Decks', ['pause One']]);
  assert.equal(takeOutput('preview', output('Two')), false);
  assert.deepEqual([playing(), outputUse.getState().pending?.output.title], ['Decks', 'Two']);
  answerOutputQuestion('cancel');
  assert.deepEqual([playing(), events], ['Decks', ['pause One']]);
});

test('pauses the decks or plays on the headphones when the user says so', () => {
  setDecksOutput(decks);
  takeOutput('preview', output('One', true));
  answerOutputQuestion('headphones');
  assert.deepEqual([playing(), events], ['Decks', ['start One on phones']]);
  // A further song stays on the headphones without a question.
  assert.equal(takeOutput('preview', output('Two', true)), true);
  takeOutput('track-page', output('Three'));
  answerOutputQuestion('pause-decks');
  assert.deepEqual(events.slice(1), ['pause decks', 'pause Two', 'start Three on master']);
  assert.equal(playing(), 'Three');
});
