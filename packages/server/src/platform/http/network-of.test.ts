import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network-of.ts';

test('returns the IPv4 address in all its forms', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('::FFFF:203.0.113.7'), '203.0.113.7');
});

test('maps all addresses of an IPv6 /64 network to one key', () => {
  const network = '2001:db8:1:2::/64';
  for (const address of [
    '2001:db8:1:2::',
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:db8:1:2:3:4:198.51.100.7',
    '2001:db8:1:2::1%eth0',
  ])
    assert.equal(networkOf(address), network, address);
  assert.equal(networkOf('2001:db8:1:3::1'), '2001:db8:1:3::/64');
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('fe80::1%lo'), 'fe80:0:0:0::/64');
});

test('returns text that is not an address unchanged', () => {
  assert.equal(networkOf(''), '');
  assert.equal(networkOf('unknown'), 'unknown');
});
