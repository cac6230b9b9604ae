import { AudioFormatError } from './audio-format-error.ts';
import { checkAudioShape } from './audio-shape.ts';
import { ascii } from './byte-reader.ts';

/** Contents of the first packet of an Opus stream. */
export interface OpusHead {
  channels: number;
  /** Sample frames at 48 kHz to remove at the start. */
  preSkip: number;
  /** Factor to apply to every sample. */
  gain: number;
  /** 0 mono or stereo, 1 surround in the order of Vorbis, 255 audio channels without defined meaning. */
  mappingFamily: number;
  streamCount: number;
  coupledStreamCount: number;
  /** Index of the decoded audio channel for each output channel. */
  mapping: number[];
}

/** Returns whether a packet is the identification header of Opus. */
export function isOpusHead(packet: Uint8Array): boolean {
  return ascii(packet, 0, 8) === 'OpusHead';
}

/**
 * Reads the identification header.
 *
 * @throws AudioFormatError `malformed`, or `unsupported_format` for unknown versions and mappings
 * @see RFC 7845, 5.1
 */
export function parseOpusHead(packet: Uint8Array): OpusHead {
  if (packet.length < 19) {
    throw new AudioFormatError('malformed', `an Opus head must hold 19 bytes (got ${packet.length})`);
  }
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  const version = view.getUint8(8);
  if (version >> 4 !== 0) {
    throw new AudioFormatError('unsupported_format', `Opus must have version 1 (got ${version})`);
  }
  const channels = view.getUint8(9);
  checkAudioShape(48_000, channels);
  const mappingFamily = view.getUint8(18);
  if (![0, 1, 255].includes(mappingFamily)) {
    throw new AudioFormatError(
      'unsupported_format',
      `Opus must map its audio channels by family 0, 1 or 255 (got ${mappingFamily})`,
    );
  }
  const head = {
    channels,
    preSkip: view.getUint16(10, true),
    gain: 10 ** (view.getInt16(16, true) / 256 / 20),
    mappingFamily,
    streamCount: 1,
    coupledStreamCount: channels - 1,
    mapping: [0, 1].slice(0, channels),
  };
  if (mappingFamily === 0) {
    if (channels <= 2) return head;
    throw new AudioFormatError('malformed', `Opus of family 0 must be mono or stereo (got ${channels})`);
  }
  head.streamCount = packet[19] ?? 0;
  head.coupledStreamCount = packet[20] ?? 0;
  head.mapping = [...packet.subarray(21, 21 + channels)];
  const decoded = head.streamCount + head.coupledStreamCount;
  const isTrue =
    head.mapping.length === channels &&
    head.streamCount >= 1 &&
    head.coupledStreamCount <= head.streamCount &&
    decoded <= channels &&
    head.mapping.every((from) => from < decoded || from === 255);
  if (!isTrue) {
    throw new AudioFormatError(
      'malformed',
      `Opus must map each audio channel to a decoded one (got ${head.mapping.join(', ')} of ${decoded})`,
    );
  }
  return head;
}

/**
 * Returns the sample frames at 48 kHz in an Opus packet of one stream; 0 if the packet is invalid.
 *
 * @see RFC 6716, 3.1 and 3.4
 */
export function opusPacketSamples(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frameSamples =
    config < 12
      ? ([480, 960, 1920, 2880][config & 3] ?? 0)
      : config < 16
        ? ([480, 960][config & 1] ?? 0)
        : ([120, 240, 480, 960][config & 3] ?? 0);
  const code = toc & 3;
  const count = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63;
  const samples = count * frameSamples;
  return samples <= 5760 && canHoldFrames(packet, code, count) ? samples : 0;
}

const MAX_FRAME_BYTES = 1275;

/** Returns whether the lengths inside a packet agree with its own length. */
function canHoldFrames(packet: Uint8Array, code: number, count: number): boolean {
  if (code === 0) return packet.length - 1 <= MAX_FRAME_BYTES;
  if (code === 1) return (packet.length - 1) % 2 === 0 && (packet.length - 1) / 2 <= MAX_FRAME_BYTES;
  let at = code === 2 ? 1 : 2;
  let end = packet.length;
  const flags = packet[1] ?? 0;
  if (code === 3 && (flags & 0x40) !== 0) {
    let byte = 255;
    while (byte === 255 && at < packet.length) {
      byte = packet[at++] ?? 0;
      end -= byte === 255 ? 254 : byte;
    }
    if (byte === 255) return false;
  }
  if (count === 0 || at > end) return false;
  if (code === 3 && (flags & 0x80) === 0) {
    return (end - at) % count === 0 && (end - at) / count <= MAX_FRAME_BYTES;
  }
  let known = 0;
  for (let frame = 0; frame < count - 1; frame++) {
    const first = packet[at++] ?? 0;
    known += first < 252 ? first : first + 4 * (packet[at++] ?? 0);
  }
  const last = end - at - known;
  return last >= 0 && last <= MAX_FRAME_BYTES;
}
