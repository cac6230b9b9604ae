import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAlacPacket } from '../testing/alac-decoder.ts';
import { createAlacMp4, stemBox } from './alac-mp4.ts';
import { alacPacketFrames, createAlacEncoder } from './encode-alac.ts';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 1_073_741_823.5 - 1;
  };
}

/** Signals of different kinds, at full scale where that is the hardest case. */
function signals(bitDepth: 16 | 24): Readonly<Record<string, (i: number) => readonly [number, number]>> {
  const most = 2 ** (bitDepth - 1) - 1;
  const noise = random(3);
  return {
    silence: () => [0, 0],
    music: (i) => {
      const tone = 0.4 * Math.sin(i / 20) + 0.2 * Math.sin(i / 3.3);
      return [Math.round(most * tone), Math.round(most * (tone + 0.1 * Math.sin(i / 50)))];
    },
    noise: () => [Math.round(most * noise()), Math.round(most * noise())],
    'full scale, back and forth': (i) => [i % 2 ? most : -most - 1, i % 3 ? -most - 1 : most],
    'silence with clicks': (i) => (i % 1500 === 7 ? [most, -most] : [0, 0]),
    'faint noise': () => [Math.round(2 * noise()), Math.round(noise())],
  };
}

for (const bitDepth of [16, 24] as const) {
  test(`restores every sample of ${bitDepth} bits for any signal, with a short packet at the end`, () => {
    for (const [name, sampleOf] of Object.entries(signals(bitDepth))) {
      const frames = 3 * alacPacketFrames + 100;
      const left = new Int32Array(frames);
      const right = new Int32Array(frames);
      for (let i = 0; i < frames; i++) [left[i], right[i]] = sampleOf(i) as [number, number];
      const encoder = createAlacEncoder(bitDepth);
      for (let at = 0; at < frames; at += alacPacketFrames) {
        const part = [left, right].map((side) => side.subarray(at, at + alacPacketFrames));
        const packet = encoder.encode(...(part as [Int32Array, Int32Array]));
        assert.equal(packet.frames, part[0]?.length);
        assert.ok(packet.bytes.length <= (packet.frames * 2 * bitDepth) / 8 + 8, name);
        const decoded = decodeAlacPacket(packet.bytes, bitDepth);
        for (const side of [0, 1]) assert.deepEqual(decoded[side], [...(part[side] ?? [])], `${name}, ${at}`);
      }
    }
  });
}

test('compresses predictable signals: silence to nothing, a chord to a third', () => {
  const bytesOf = (name: string): number => {
    const sampleOf = signals(16)[name] as (i: number) => readonly [number, number];
    const encoder = createAlacEncoder(16);
    let bytes = 0;
    for (let packet = 0; packet < 10; packet++) {
      const sides = [0, 1].map((side) =>
        Int32Array.from({ length: 4096 }, (_, i) => sampleOf(packet * 4096 + i)[side] as number),
      );
      bytes = encoder.encode(...(sides as [Int32Array, Int32Array])).bytes.length;
    }
    return bytes / (4096 * 4);
  };
  assert.ok(bytesOf('silence') < 0.005);
  assert.ok(bytesOf('music') < 0.35);
});

test('writes the offset of each packet and the names of the stems to an MP4 of several tracks', () => {
  const stem = stemBox(['Drums', 'Bass', 'Other', 'Vocals'].map((name) => ({ name, color: '#009E73' })));
  const mp4 = createAlacMp4({ sampleRate: 44_100, bitDepth: 16, trackCount: 5, stem, tags: [] });
  const parts = [mp4.head()];
  for (let chunk = 0; chunk < 3; chunk++)
    for (let track = 0; track < 5; track++) {
      const packets = Array.from({ length: chunk === 2 ? 1 : 2 }, (_, i) => ({
        bytes: new Uint8Array(3 + i).fill(10 * track + chunk + 1),
        frames: chunk === 2 ? 100 : alacPacketFrames,
      }));
      parts.push(mp4.append(track, packets));
    }
  const { tail, patches } = mp4.finish();
  const file = Buffer.concat([...parts, tail]);
  for (const { offset, bytes } of patches) file.set(bytes, offset);
  const boxes = (from: number, to: number): Map<string, [number, number][]> => {
    const found = new Map<string, [number, number][]>();
    for (let at = from; at < to; ) {
      const type = file.toString('latin1', at + 4, at + 8);
      const isLong = file.readUInt32BE(at) === 1;
      const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : file.readUInt32BE(at);
      found.set(type, [...(found.get(type) ?? []), [at + (isLong ? 16 : 8), at + size]]);
      at += size;
    }
    return found;
  };
  const inside = (range: [number, number], ...path: string[]): [number, number] =>
    path.reduce((within, type) => boxes(...within).get(type)?.[0] as [number, number], range);
  const top = boxes(0, file.length);
  assert.deepEqual([...top.keys()], ['ftyp', 'mdat', 'moov']);
  const moov = top.get('moov')?.[0] as [number, number];
  assert.equal(file.toString('utf8', ...inside(moov, 'udta', 'stem')), stem);
  const traks = boxes(...moov).get('trak') ?? [];
  assert.equal(traks.length, 5);
  for (const [track, trak] of traks.entries()) {
    const table = inside(trak, 'mdia', 'minf', 'stbl');
    const [chunks] = inside(table, 'co64');
    const [sizes] = inside(table, 'stsz');
    assert.equal(file.readUInt32BE(sizes + 8), 5);
    for (let chunk = 0; chunk < 3; chunk++) {
      const offset = Number(file.readBigUInt64BE(chunks + 8 + 8 * chunk));
      assert.deepEqual([...file.subarray(offset, offset + 3)], Array(3).fill(10 * track + chunk + 1));
    }
    const [head] = inside(trak, 'tkhd');
    assert.equal(file.readUInt32BE(head) & 1, track === 0 ? 1 : 0);
  }
});
