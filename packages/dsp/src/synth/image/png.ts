import { deflate } from './deflate.ts';

/**
 * Encodes a PNG with 8 bits for each of red, green and blue.
 *
 * Each row is filtered by the row above it, so that plain areas and slow gradients become rows of zeros.
 *
 * @param rgb three bytes per pixel, row by row
 * @throws RangeError if the bytes do not fit the size
 * @see W3C, "Portable Network Graphics (PNG) Specification", 3rd edition
 */
export function writePng(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const stride = width * 3;
  if (rgb.length !== stride * height) {
    throw new RangeError(
      `an image of ${width} × ${height} must have ${stride * height} bytes (got ${rgb.length})`,
    );
  }
  const filtered = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row++) {
    const at = row * (stride + 1);
    filtered[at] = 2;
    for (let index = 0; index < stride; index++) {
      const above = row > 0 ? rgb[(row - 1) * stride + index]! : 0;
      filtered[at + 1 + index] = rgb[row * stride + index]! - above;
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflate(filtered)),
    chunk('IEND', new Uint8Array(0)),
  ];
  const output = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    output.set(part, at);
    at += part.length;
  }
  return output;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const output = new Uint8Array(data.length + 12);
  const view = new DataView(output.buffer);
  view.setUint32(0, data.length);
  for (let index = 0; index < 4; index++) output[4 + index] = name.charCodeAt(index);
  output.set(data, 8);
  view.setUint32(data.length + 8, crc32(output.subarray(4, data.length + 8)));
  return output;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
