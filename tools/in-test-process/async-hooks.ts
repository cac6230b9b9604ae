// Loaded into every test process before the test runner. To name the test of an uncaught error, the runner follows every
// promise and timer of the process with an async hook, about a tenth of the samples in a profile of a service test. With
// TEST_ASYNC_HOOKS=off there is no hook: an uncaught error is printed here, and it fails the process instead of the test.
// Tests inside `describe` need the hook. AsyncLocalStorage does not.
import { createHook } from 'node:async_hooks';
import { env } from 'node:process';
import { inspect } from 'node:util';

if (env.TEST_ASYNC_HOOKS === 'off') {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable: () => unknown };
  hooks.enable = function enable(this: unknown) {
    return this;
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => void process.stderr.write(`${event}: ${inspect(error)}\n`));
}
