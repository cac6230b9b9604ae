import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toChunks } from '../testing/audio-file.ts';
import { vorbisSong } from '../testing/ogg-songs.ts';
import { ByteReader } from './byte-reader.ts';
import { OggPacketReader } from './ogg-packets.ts';
import { isVorbisHead } from './vorbis-head.ts';
import { isVorbisAudio, parseVorbisSetup } from './vorbis-setup.ts';

async function readPackets(): Promise<Uint8Array[]> {
  const reader = new OggPacketReader(new ByteReader(toChunks(vorbisSong())), isVorbisHead);
  const packets: Uint8Array[] = [];
  for (let group = await reader.next(); group !== null; group = await reader.next())
    packets.push(...group.packets.map(({ bytes }) => bytes));
  return packets;
}

const [, , setup = new Uint8Array(0), ...audio] = await readPackets();

test('reads the setup of an encoder to its end: a short and a long mode', () => {
  assert.deepEqual(parseVorbisSetup(setup, 2), [false, true]);
});

test('rejects a setup truncated anywhere', () => {
  for (let length = 7; length < setup.length; length += 13)
    assert.throws(() => parseVorbisSetup(setup.subarray(0, length), 2), { code: 'malformed' });
});

test('rejects a setup without the sync pattern of a codebook, and one whose tables exceed the memory of the decoder', () => {
  const change = (offset: number, bytes: readonly number[]) => {
    const changed = setup.slice();
    changed.set(bytes, offset);
    return () => parseVorbisSetup(changed, 2);
  };
  assert.throws(change(8, [0]), { code: 'malformed', message: /its mark/ });
  // An ordered codebook of 2²³ entries, all with codewords of 23 bits.
  const huge = new Uint8Array(32);
  huge.set([5, ...Buffer.from('vorbis'), 0, 0x42, 0x43, 0x56, 1, 0, 0, 0, 0x80, 0b0010_1101, 0, 0, 0x20]);
  assert.throws(() => parseVorbisSetup(huge, 2), { code: 'malformed', message: /too large/ });
});

test('distinguishes audio packets from undecodable ones', () => {
  const modes = parseVorbisSetup(setup, 2);
  assert.ok(audio.length > 10);
  assert.ok(audio.every((packet) => isVorbisAudio(packet, modes)));
  assert.equal(isVorbisAudio(setup, modes), false);
  assert.equal(isVorbisAudio(Uint8Array.of(), modes), false);
  assert.equal(isVorbisAudio(Uint8Array.of(0b0100), [false, true, true]), true);
  assert.equal(isVorbisAudio(Uint8Array.of(0b0110), [false, true, true]), false);
});
