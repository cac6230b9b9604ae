import assert from 'node:assert/strict';
import { get } from 'node:https';
import { test } from 'node:test';
import { isPublicAddress, publicLookup, type Resolve } from './public-address.ts';

test('rejects loopback, private and special-purpose addresses in every form', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::6810:84e5', '2a00:1450:4001:81b::200e'])
    assert.equal(isPublicAddress(address), true, address);
  for (const address of [
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    'localhost',
    '',
  ])
    assert.equal(isPublicAddress(address), false, address);
});

/** Returns the message of the error of a connection to a name. */
function failureOf(resolve: Resolve): Promise<string> {
  return new Promise((done) => {
    const request = get('https://covers.example.org/x.png', { lookup: publicLookup(resolve) });
    request.on('error', (error) => done(error.message));
  });
}

test('does not connect to a name with a non-public address, even beside a public one', async () => {
  const refused = 'covers.example.org has no address of the public internet';
  const v4 = (address: string) => ({ address, family: 4 });
  for (const found of [
    [],
    [v4('127.0.0.1')],
    [v4('169.254.169.254')],
    [v4('1.1.1.1'), v4('10.0.0.1')],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
  ])
    assert.equal(await failureOf(() => Promise.resolve(found)), refused);
  assert.equal(await failureOf(() => Promise.reject(new Error('no such name'))), 'no such name');
});

test('returns the checked addresses in the requested form', async () => {
  const found = [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ];
  const look = publicLookup(() => Promise.resolve(found));
  const answers = (options: { all?: boolean }) =>
    new Promise<unknown[]>((done) => look('a.example', options, (...answer) => done(answer)));
  assert.deepEqual(await answers({ all: true }), [null, found]);
  assert.deepEqual(await answers({}), [null, '1.1.1.1', 4]);
});
