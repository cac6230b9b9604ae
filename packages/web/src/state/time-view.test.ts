import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followedWindow, TimeView, zoomedWindow } from './time-view.ts';

const whole = { fromSeconds: 0, spanSeconds: 100 };

test('zooming keeps the position at the pointer, within the song', () => {
  assert.deepEqual(zoomedWindow(whole, 2, 50, 100), { fromSeconds: 25, spanSeconds: 50 });
  assert.deepEqual(zoomedWindow(whole, 4, 0, 100), { fromSeconds: 0, spanSeconds: 25 });
  assert.deepEqual(zoomedWindow({ fromSeconds: 60, spanSeconds: 40 }, 0.5, 90, 100), {
    fromSeconds: 20,
    spanSeconds: 80,
  });
  assert.deepEqual(zoomedWindow({ fromSeconds: 60, spanSeconds: 40 }, 0.1, 90, 100), whole);
  assert.equal(zoomedWindow(whole, 1000, 50, 100).spanSeconds, 2);
  assert.deepEqual(zoomedWindow({ fromSeconds: 0, spanSeconds: 1 }, 2, 0.5, 1), {
    fromSeconds: 0,
    spanSeconds: 1,
  });
});

test('the window turns its page with the playhead', () => {
  const window = { fromSeconds: 20, spanSeconds: 20 };
  assert.equal(followedWindow(window, 30, 29.9, 100), window);
  assert.equal(followedWindow(window, 39.1, 39, 100).fromSeconds, 38.1);
  // At the end of the song there is no further page.
  const last = { fromSeconds: 80, spanSeconds: 20 };
  assert.equal(followedWindow(last, 99.5, 99.4, 100), last);
});

test('a jump shows its position, and a window that the user moved away stays', () => {
  const window = { fromSeconds: 20, spanSeconds: 20 };
  assert.equal(followedWindow(window, 70, 30, 100).fromSeconds, 69);
  assert.equal(followedWindow(window, 5, 30, 100).fromSeconds, 4);
  assert.equal(followedWindow(window, 25, 70, 100), window);
  assert.equal(followedWindow(window, 60.1, 60, 100), window);
});

test('a view shows the whole song until it is zoomed, and again after a fit', () => {
  const view = new TimeView();
  view.setDuration(100);
  assert.deepEqual(view.state.getState(), { window: whole, isWhole: true });
  view.zoomBy(2, 50);
  assert.deepEqual(view.state.getState(), { window: { fromSeconds: 25, spanSeconds: 50 }, isWhole: false });
  view.scrollTo(90);
  assert.deepEqual(view.window, { fromSeconds: 50, spanSeconds: 50 });
  view.fit();
  assert.deepEqual(view.state.getState(), { window: whole, isWhole: true });
});
