/** Returns the little-endian bytes of a number below 2^32. */
function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function be32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const synchsafe = (value: number) =>
  Buffer.from([21, 14, 7, 0].map((shift) => Math.floor(value / 2 ** shift) & 0x7f));

/** Returns a packet of Vorbis comments with `count` comments of seven bytes each. */
export function manyComments(count: number): Buffer {
  const one = Buffer.concat([le32(3), Buffer.from('A=B')]);
  return Buffer.concat([le32(0), le32(count), Buffer.alloc(count * one.length, one)]);
}

/** Returns a FLAC file with blocks of metadata inserted after its first block. */
export function flacWithBlocks(
  flac: Uint8Array,
  blocks: readonly { readonly type: number; readonly body: Buffer }[],
): Buffer {
  // The magic number, the block header and the stream information.
  const first = 4 + 4 + 34;
  const head = Buffer.from(flac.subarray(0, first));
  head[4] = (head[4] ?? 0) & 0x7f;
  const isOnly = ((flac[4] ?? 0) & 0x80) !== 0;
  const added = blocks.map(({ type, body }, index) => {
    const length = be32(body.length);
    length[0] = type | (isOnly && index === blocks.length - 1 ? 0x80 : 0);
    return Buffer.concat([length, body]);
  });
  return Buffer.concat([head, ...added, flac.subarray(first)]);
}

/** Returns an ID3v2.3 frame. */
export function id3Frame(id: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(id), be32(body.length), Buffer.alloc(2), body]);
}

/** Returns an MP3 file that begins with an ID3v2.3 tag of these frames. */
export function mp3WithFrames(mp3: Uint8Array, frames: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), synchsafe(body.length), body, mp3]);
}

/** Returns an ID3v2 frame with a cover of the given size in bytes. */
export function coverFrame(bytes: number): Buffer {
  const head = Buffer.from('\0image/jpeg\0\x03\0', 'latin1');
  return id3Frame('APIC', Buffer.concat([head, Buffer.alloc(bytes, 0x55)]));
}

/** Returns an MP4 atom. */
export function atom(name: string, body: Uint8Array): Buffer {
  return Buffer.concat([be32(body.length + 8), Buffer.from(name, 'latin1'), body]);
}

/** Returns an MP4 file with these atoms after its first one. */
export function mp4With(...atoms: readonly Uint8Array[]): Buffer {
  return Buffer.concat([atom('ftyp', Buffer.from('M4A \0\0\0\0M4A ', 'latin1')), ...atoms]);
}

/** Returns a WAV file with a chunk inserted before its own chunks. */
export function wavWithChunk(wav: Uint8Array, id: string, body: Uint8Array): Buffer {
  const chunk = Buffer.concat([Buffer.from(id), le32(body.length), body, Buffer.alloc(body.length % 2)]);
  return Buffer.concat([wav.subarray(0, 12), chunk, wav.subarray(12)]);
}

/** Returns the body of a LIST chunk with `count` texts of eight bytes. */
export function listOfTexts(count: number): Buffer {
  const one = Buffer.concat([Buffer.from('INAM'), le32(8), Buffer.from('a title\0')]);
  return Buffer.concat([Buffer.from('INFO'), Buffer.alloc(count * one.length, one)]);
}
