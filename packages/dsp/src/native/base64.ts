const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, DIGITS.indexOf(String.fromCharCode(code))),
);

/** Decodes base 64, because this package may use neither the browser's `atob` nor Node's `Buffer`. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  for (let at = 0, out = 0; at < digits.length; at++) {
    bits = (bits << 6) | (VALUES[digits.charCodeAt(at)] ?? 0);
    if (at % 4 > 0) bytes[out++] = bits >> (6 - 2 * (at % 4));
  }
  return bytes;
}
