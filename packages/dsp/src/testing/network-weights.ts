/** Number of weights and biases of the network. */
const weightCount =
  128 * (3 * 192 + 1) + 6 * 128 * (3 * 128 + 1) + 288 * (128 + 1) + 32 * (128 + 1) + 4 * (32 + 1);

/** Returns arbitrary weights: numbers of either sign up to 0.06, the same each time, as 16-bit floats. */
export function randomNetworkWeights(): Uint8Array {
  const bytes = new Uint8Array(2 * weightCount);
  const view = new DataView(bytes.buffer);
  let state = 7;
  for (let i = 0; i < weightCount; i++) {
    state = (state * 48_271) % 2_147_483_647;
    // Random sign and fraction, with the exponents of 1/64 and 1/32.
    view.setUint16(2 * i, (state & 0x83ff) | ((9 + ((state >> 16) & 1)) << 10), true);
  }
  return bytes;
}
