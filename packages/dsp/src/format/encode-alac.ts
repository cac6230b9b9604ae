import { createBitWriter } from './bit-writer.ts';

/** Sample frames per packet; the last one of a track may have fewer. */
export const alacPacketFrames = 4096;

/** A packet of compressed audio. */
export interface AlacPacket {
  readonly bytes: Uint8Array;
  readonly frames: number;
}

/** Encoder for packets of stereo audio. */
export interface AlacEncoder {
  /**
   * Encodes a packet.
   *
   * @param left integers of the bit depth, up to {@link alacPacketFrames} of them, and `right` as many
   */
  encode(left: Int32Array, right: Int32Array): AlacPacket;
}

/** Parameters by which the code of the remainders adapts, as in Apple's encoder. */
const meanStart = 10;
const historyFactor = 40;
const longestCode = 14;
const longestRun = 255;

const coefficientCount = 8;
const coefficientBits = 9;
/** Shift of the stereo mix, whose first channel is (2·left + 2·right) / 4, the mean. */
const mixBits = 2;
const mixRes = 2;

/** Returns the decoder configuration: the version and the 24 bytes of the `alac` box. */
export function alacConfig(sampleRate: number, bitDepth: 16 | 24, longestPacket: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(28));
  view.setUint32(4, alacPacketFrames);
  view.setUint8(9, bitDepth);
  view.setUint8(10, historyFactor);
  view.setUint8(11, meanStart);
  view.setUint8(12, longestCode);
  view.setUint8(13, 2);
  view.setUint16(14, longestRun);
  view.setUint32(16, longestPacket);
  view.setUint32(24, sampleRate);
  return new Uint8Array(view.buffer);
}

/**
 * Creates a lossless encoder for stereo Apple Lossless.
 *
 * It uses a linear prediction of eight coefficients that adapt from packet to packet, the two channels or their mean
 * and difference (whichever varies less), and remainders in adaptive Golomb codes. Packets that would not become
 * smaller are stored uncompressed.
 *
 * @param bitDepth of 24 bits the lowest eight are stored uncompressed
 * @see https://github.com/macosforge/alac (Apple Lossless Audio Codec, ALACMagicCookieDescription.txt and dp_enc.c)
 */
export function createAlacEncoder(bitDepth: 16 | 24): AlacEncoder {
  const shift = bitDepth === 24 ? 8 : 0;
  // The difference of two channels needs one bit more than a channel.
  const width = bitDepth - shift + 1;
  const coefficients = [startCoefficients(), startCoefficients()] as const;
  const first = new Int32Array(alacPacketFrames);
  const second = new Int32Array(alacPacketFrames);
  const remainders = [new Int32Array(alacPacketFrames), new Int32Array(alacPacketFrames)] as const;
  const bits = createBitWriter();

  const writeHead = (frames: number, isRaw: boolean): void => {
    const isShort = frames < alacPacketFrames;
    // A channel pair element, number 0, and twelve unused bits.
    bits.write(1, 3);
    bits.write(0, 16);
    bits.write(isShort ? 1 : 0, 1);
    bits.write(isRaw ? 0 : shift / 8, 2);
    bits.write(isRaw ? 1 : 0, 1);
    if (isShort) bits.write(frames, 32);
  };

  const writeRaw = (left: Int32Array, right: Int32Array): void => {
    bits.rewind(0);
    writeHead(left.length, true);
    for (let i = 0; i < left.length; i++) {
      bits.write(left[i] as number, bitDepth);
      bits.write(right[i] as number, bitDepth);
    }
  };

  return {
    encode(left, right) {
      const frames = left.length;
      const isMixed = isCalmerMixed(left, right);
      for (let i = 0; i < frames; i++) {
        const l = (left[i] as number) >> shift;
        const r = (right[i] as number) >> shift;
        first[i] = isMixed ? (mixRes * l + mixRes * r) >> mixBits : l;
        second[i] = isMixed ? l - r : r;
      }
      bits.rewind(0);
      writeHead(frames, false);
      bits.write(mixBits, 8);
      bits.write(isMixed ? mixRes : 0, 8);
      for (const learned of coefficients) {
        bits.write(coefficientBits, 8);
        // A history factor of 4 quarters.
        bits.write((4 << 5) | coefficientCount, 8);
        for (const coefficient of learned) bits.write(coefficient, 16);
      }
      for (let i = 0; i < (shift > 0 ? frames : 0); i++) {
        bits.write(left[i] as number, shift);
        bits.write(right[i] as number, shift);
      }
      for (const [index, signal] of [first, second].entries()) {
        const remainder = remainders[index as 0 | 1];
        predict(signal, remainder, frames, coefficients[index as 0 | 1], width);
        writeRemainders(bits, remainder, frames, width);
      }
      if (bits.bits >= 2 * frames * bitDepth) writeRaw(left, right);
      // The end-of-packet element.
      bits.write(7, 3);
      return { bytes: bits.bytes(), frames };
    },
  };
}

/** Returns the initial coefficients, most of which soon adapt. */
function startCoefficients(): Int16Array {
  const one = 1 << coefficientBits;
  const learned = new Int16Array(coefficientCount);
  learned.set([(38 * one) >> 4, (-29 * one) >> 4, (-2 * one) >> 4]);
  return learned;
}

/** Whether mean and difference change less from sample to sample than the channels do. */
function isCalmerMixed(left: Int32Array, right: Int32Array): boolean {
  let apart = 0;
  let mixed = 0;
  for (let i = 1; i < left.length; i++) {
    const l = (left[i] as number) - (left[i - 1] as number);
    const r = (right[i] as number) - (right[i - 1] as number);
    apart += Math.abs(l) + Math.abs(r);
    mixed += Math.abs(l + r) / 2 + Math.abs(l - r);
  }
  return mixed < apart;
}

/**
 * Computes the residual of each sample after prediction from the eight samples before.
 *
 * After each sample every coefficient changes by at most one, in the direction that would have reduced the residual.
 * The arithmetic is that of 32-bit integers, as in decoders.
 */
function predict(
  input: Int32Array,
  output: Int32Array,
  frames: number,
  learned: Int16Array,
  width: number,
): void {
  const unused = 32 - width;
  const half = 1 << (coefficientBits - 1);
  const count = coefficientCount;
  output[0] = input[0] as number;
  for (let j = 1; j <= count && j < frames; j++)
    output[j] = (((input[j] as number) - (input[j - 1] as number)) << unused) >> unused;
  for (let j = count + 1; j < frames; j++) {
    const top = input[j - count - 1] as number;
    let sum = 0;
    for (let k = 0; k < count; k++)
      sum = (sum + Math.imul(learned[k] as number, (input[j - 1 - k] as number) - top)) | 0;
    const missed = (((input[j] as number) - top - ((sum + half) >> coefficientBits)) << unused) >> unused;
    output[j] = missed;
    let left = missed;
    const sign = Math.sign(missed);
    for (let k = count - 1; k >= 0 && left * sign > 0; k--) {
      const distance = top - (input[j - 1 - k] as number);
      const direction = sign * Math.sign(distance);
      learned[k] = (learned[k] as number) - direction;
      left -= (count - k) * (Math.imul(direction, distance) >> coefficientBits);
    }
  }
}

/** Writes remainders in Golomb codes whose parameter follows their mean; a run of zeros is written as its length. */
function writeRemainders(
  bits: { write(value: number, width: number): void },
  remainders: Int32Array,
  frames: number,
  width: number,
): void {
  let mean = meanStart;
  let zeroBefore = 0;
  for (let at = 0; at < frames; ) {
    const k = Math.min(31 - Math.clz32((mean >> 9) + 3), longestCode);
    const value = remainders[at++] as number;
    const n = (value < 0 ? -2 * value - 1 : 2 * value) - zeroBefore;
    writeCode(bits, n, k, (1 << k) - 1, width);
    mean = historyFactor * (n + zeroBefore) + mean - ((historyFactor * mean) >> 9);
    if (n > 0xffff) mean = 0xffff;
    zeroBefore = 0;
    if (mean << 2 >= 512 || at >= frames) continue;
    let run = 0;
    zeroBefore = 1;
    while (at < frames && remainders[at] === 0) {
      at++;
      if (++run < 65_535) continue;
      zeroBefore = 0;
      break;
    }
    const runBits = Math.clz32(mean) - 24 + ((mean + 16) >> 6);
    writeCode(bits, run, runBits, ((1 << runBits) - 1) & ((1 << longestCode) - 1), 16);
    mean = 0;
  }
}

/**
 * Writes a number in Golomb code: the quotient by `modulus` in unary and the rest.
 *
 * A large number is written as nine one bits and its plain value.
 */
function writeCode(
  bits: { write(value: number, width: number): void },
  n: number,
  k: number,
  modulus: number,
  plainWidth: number,
): void {
  const quotient = Math.floor(n / modulus);
  const rest = n - quotient * modulus;
  const width = quotient + k + (rest === 0 ? 0 : 1);
  if (quotient >= 9 || width > 25) {
    bits.write(0x1ff, 9);
    bits.write(n, plainWidth);
    return;
  }
  bits.write((1 << quotient) - 1, quotient);
  bits.write(rest === 0 ? 0 : rest + 1, width - quotient);
}
