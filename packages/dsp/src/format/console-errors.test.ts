import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hushConsole } from './hush-console.ts';

test('a library is kept from printing its own lines, and from nothing else', (t) => {
  const printer = globalThis.console;
  const print = t.mock.method(printer, 'error', () => undefined);
  const answer = hushConsole('libopus ', () => {
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
    throw new Error('no room');
  };
  assert.throws(() => hushConsole('libopus ', fail), /no room/);
  assert.equal(printer.error, print, 'it prints again');
});

test('work that answers with a promise is kept quiet until then, and nothing that runs meanwhile', async (t) => {
  const printer = globalThis.console;
  const print = t.mock.method(printer, 'error', () => undefined);
  const answer = hushConsole('libFLAC ', async () => {
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
