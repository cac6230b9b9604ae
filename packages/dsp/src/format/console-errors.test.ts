import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutConsoleErrors } from './console-errors.ts';

test('suppresses the lines of a library and prints all others', (t) => {
  const printer = globalThis.console;
  const print = t.mock.method(printer, 'error', () => undefined);
  const answer = withoutConsoleErrors({ prefix: 'libopus ' }, () => {
    printer.error('libopus -4');
    printer.error('something else', 1);
    printer.error(new Error('libopus -4'));
    return 7;
  });
  assert.equal(answer, 7);
  assert.deepEqual(
    print.mock.calls.map((call) => call.arguments),
    [['something else', 1], [new Error('libopus -4')]],
  );
  const fail = () => {
    throw new Error('no space');
  };
  assert.throws(() => withoutConsoleErrors({ prefix: 'libopus ' }, fail), /no space/);
  assert.equal(printer.error, print, 'the console must be restored');
});

test('suppresses lines of asynchronous work until its first await only', async (t) => {
  const printer = globalThis.console;
  const print = t.mock.method(printer, 'error', () => undefined);
  const answer = withoutConsoleErrors({ prefix: 'libFLAC ' }, async () => {
    printer.error('libFLAC at once');
    await Promise.resolve();
    printer.error('libFLAC later');
    return 7;
  });
  assert.equal(printer.error, print);
  printer.error('libFLAC of somebody else');
  assert.equal(await answer, 7);
  assert.deepEqual(
    print.mock.calls.map((call) => call.arguments),
    [['libFLAC of somebody else'], ['libFLAC later']],
  );
});

test('ends work that prints more lines than allowed', (t) => {
  const printer = globalThis.console;
  const print = t.mock.method(printer, 'error', () => undefined);
  const printForEver = () => {
    for (;;) printer.error('mpg123-decoder: -1');
  };
  assert.throws(
    () => withoutConsoleErrors({ prefix: 'mpg123-decoder: ', most: 3 }, printForEver),
    /at most 3/,
  );
  assert.equal(print.mock.callCount(), 0);
  assert.equal(printer.error, print, 'the console must be restored');
});
