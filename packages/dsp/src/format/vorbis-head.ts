import { AudioFormatError } from './audio-format-error.ts';
import { checkAudioShape } from './audio-shape.ts';
import type { AudioInfo } from './audio-source.ts';
import { ascii } from './byte-reader.ts';

/**
 * Returns whether a packet is the identification header of Vorbis.
 *
 * @see Vorbis I specification, 4.2.2
 */
export function isVorbisHead(packet: Uint8Array): boolean {
  return packet[0] === 1 && ascii(packet, 1, 7) === 'vorbis';
}

/**
 * Returns the properties of a Vorbis stream from its three headers.
 *
 * @throws AudioFormatError `malformed` on invalid headers, `unsupported_format` for another version
 */
export function describeVorbis(headers: readonly Uint8Array[]): AudioInfo {
  const [head = new Uint8Array(0), , setup = new Uint8Array(0)] = headers;
  if (head.length < 30) {
    throw new AudioFormatError('malformed', `a Vorbis head must hold 30 bytes (got ${head.length})`);
  }
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const version = view.getUint32(7, true);
  if (version !== 0) {
    throw new AudioFormatError('unsupported_format', `Vorbis must have version 0 (got ${version})`);
  }
  const channels = view.getUint8(11);
  const sampleRate = view.getUint32(12, true);
  checkAudioShape(sampleRate, channels);
  const [small, large] = [view.getUint8(28) & 15, view.getUint8(28) >> 4];
  if (small < 6 || large < small || large > 13) {
    const got = `${2 ** small} and ${2 ** large}`;
    throw new AudioFormatError('malformed', `Vorbis blocks must be 64 to 8192 samples, rising (got ${got})`);
  }
  if (setup[0] !== 5 || ascii(setup, 1, 7) !== 'vorbis') {
    throw new AudioFormatError('malformed', 'the third Vorbis header must be the setup (got another)');
  }
  const nominal = view.getInt32(20, true);
  return {
    codec: 'ogg',
    sample_rate: sampleRate,
    channels,
    bits_per_sample: null,
    bitrate: nominal > 0 ? nominal : null,
    declared_frames: null,
  };
}
