import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirePublicCandidate } from './candidate-address.ts';
import { ToolFailure } from './tool-failure.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'audio.example.org': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'router.example.org': ['192.168.1.1'],
  'both.example.org': ['93.184.215.14', '127.0.0.1'],
  'six.example.org': ['::ffff:10.0.0.1'],
};
const resolve = (name: string) => {
  const found = names[name];
  if (!found) return Promise.reject(new Error('ENOTFOUND'));
  return Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
};

test('rejects addresses of this machine, its network and cloud metadata', async () => {
  for (const address of [
    'http://127.0.0.1/a',
    'http://localhost:5432/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]:4000/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.1.2.3/a.mp3',
    'http://169.254.169.254/latest/meta-data',
    'http://metadata.google.internal/',
    'http://nas/a.mp3',
    'http://nas.local/a.mp3',
    'https://router.example.org/',
    'https://both.example.org/',
    'https://six.example.org/',
    'https://user:password@audio.example.org/',
    'file:///etc/passwd',
    'ftp://audio.example.org/a',
    'no address',
  ])
    await assert.rejects(
      requirePublicCandidate(address, 'ytsearch5:', resolve),
      (error) => error instanceof ToolFailure && error.problem === 'unavailable',
      address,
    );
});

test("allows public hosts, names that only the tool can resolve, and the host of the operator's search", async () => {
  for (const address of [
    'https://audio.example.org/a',
    'http://audio.example.org:8080/a',
    'http://93.184.215.14/',
    'https://unknown.example.org/a',
  ])
    await requirePublicCandidate(address, 'ytsearch5:', resolve);
  const template = 'http://nas.local:8080/search?q={query}';
  await requirePublicCandidate('http://nas.local:8080/a.mp3', template, resolve);
  await assert.rejects(requirePublicCandidate('http://nas.local:22/', template, resolve));
});
