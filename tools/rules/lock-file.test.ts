import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingOptionals } from './lock-file.ts';

const optionalDependencies = { '@x/linux-x64-musl': '1.2.3', '@x/darwin-arm64': '1.2.3' };

test('an optional package of another machine that the lock file leaves out is found, with its machine', () => {
  const packages = { 'node_modules/x': { version: '1.2.3', dev: true, optionalDependencies } };
  assert.deepEqual(missingOptionals(packages), {
    'node_modules/@x/linux-x64-musl': {
      version: '1.2.3',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/@x/darwin-arm64': {
      version: '1.2.3',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    },
  });
});

test('a package listed beside, above or inside the one that wants it is not missing', () => {
  const listed = { version: '1.2.3' };
  const packages = {
    'node_modules/y/node_modules/x': { version: '1.2.3', optionalDependencies },
    'node_modules/y/node_modules/@x/linux-x64-musl': listed,
    'node_modules/@x/darwin-arm64': listed,
  };
  assert.deepEqual(missingOptionals(packages), {});
});

test('a name that tells no machine is an error, not a package for all', () => {
  assert.throws(
    () => missingOptionals({ 'node_modules/x': { optionalDependencies: { native: '1.0.0' } } }),
    /which machine "native"/,
  );
});
