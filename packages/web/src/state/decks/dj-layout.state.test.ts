import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  arrangementText,
  chooseLayout,
  djArrangement,
  LEAST_LOWER_PX,
  MOST_LOWER_PX,
  parseArrangement,
  setLowerHeight,
  showLowerTab,
  showNextClock,
} from './dj-layout.state.ts';

const initial = parseArrangement(null);

beforeEach(() => djArrangement.setState(initial));

test('a stored arrangement is restored', () => {
  const wanted = {
    layout: 'stems',
    lowerTab: 'sampler',
    lowerPx: 240,
    clock: 'bars',
    coloring: 'stems',
  } as const;
  assert.deepEqual(parseArrangement(arrangementText(wanted)), wanted);
});

test('invalid text gives the initial arrangement', () => {
  assert.equal(initial.layout, 'library');
  for (const text of [null, '', '{', '7', '{"version":2,"layout":"stems"}'])
    assert.deepEqual(parseArrangement(text), initial, String(text));
});

test('an unknown value is replaced by its initial value, and the others are kept', () => {
  const text =
    '{"version":1,"layout":"theatre","lower_tab":"sampler","lower_px":1,"clock":"bars","coloring":"mood"}';
  assert.deepEqual(parseArrangement(text), { ...initial, lowerTab: 'sampler', clock: 'bars' });
});

test('the height of the lower region stays within its limits', () => {
  setLowerHeight(200.4);
  assert.equal(djArrangement.getState().lowerPx, 200);
  setLowerHeight(1);
  assert.equal(djArrangement.getState().lowerPx, LEAST_LOWER_PX);
  setLowerHeight(99_999);
  assert.equal(djArrangement.getState().lowerPx, MOST_LOWER_PX);
  setLowerHeight(null);
  assert.equal(djArrangement.getState().lowerPx, null);
});

test('showing a tab of the lower region opens that region', () => {
  chooseLayout('decks');
  showLowerTab('sampler');
  assert.deepEqual(djArrangement.getState(), { ...initial, layout: 'library', lowerTab: 'sampler' });
});

test('the clock shows elapsed time, timecode and bars in turn', () => {
  const seen = [0, 1, 2, 3].map(() => {
    showNextClock();
    return djArrangement.getState().clock;
  });
  assert.deepEqual(seen, ['timecode', 'bars', 'elapsed', 'timecode']);
});
