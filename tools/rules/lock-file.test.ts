import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingOptionals } from './lock-file.ts';

const optionalDependencies = { '@x/linux-x64-musl': '1.2.3', '@x/darwin-arm64': '1.2.3' };

test('finds a missing optional package of another platform, with its platform', () => {
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

test('accepts a package listed next to, above or inside the one that needs it', () => {
  const listed = { version: '1.2.3' };
  const packages = {
    'node_modules/y/node_modules/x': { version: '1.2.3', optionalDependencies },
    'node_modules/y/node_modules/@x/linux-x64-musl': listed,
    'node_modules/@x/darwin-arm64': listed,
  };
  assert.deepEqual(missingOptionals(packages), {});
});

test('throws for a name without a platform instead of listing it for all platforms', () => {
  assert.throws(
    () => missingOptionals({ 'node_modules/x': { optionalDependencies: { native: '1.0.0' } } }),
    /which machine "native"/,
  );
});
