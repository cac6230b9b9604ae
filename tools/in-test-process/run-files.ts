// `node run-files.ts FILE…` registers the tests of several small files, which then run one after another in this process.
// It saves the modules and child processes that each process would load and start again.
import path from 'node:path';
import { argv } from 'node:process';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginningOf } from '../runner/test-events.ts';

// A test that waits only for an unreferenced timer must not end the process of the files after it.
const keepAlive = setInterval(() => undefined, 60_000);
after(() => clearInterval(keepAlive));

// The first test ends when all files are loaded. Otherwise Node ends the run, and the hook above runs, as soon as the
// tests that are known by then have ended.
const loaded = Promise.withResolvers<void>();
for (const [index, file] of argv.slice(2).entries()) {
  // The reader of the events assigns what follows to this file.
  void test(beginningOf(file), () => (index === 0 ? loaded.promise : undefined));
  try {
    await import(pathToFileURL(path.resolve(file)).href);
  } catch (error) {
    // The tests of the other files run nevertheless.
    void test(`${file} cannot be loaded`, () => {
      throw error;
    });
  }
}
loaded.resolve();
