/**
 * Decodes a stereo Apple Lossless packet. It was written after the description of the format and not after the encoder,
 * as an independent check of it.
 */
export function decodeAlacPacket(packet: Uint8Array, bitDepth: 16 | 24): [number[], number[]] {
  let at = 0;
  const read = (width: number): number => {
    let value = 0;
    for (let i = 0; i < width; i++, at++)
      value = value * 2 + (((packet[at >> 3] as number) >> (7 - (at & 7))) & 1);
    return value;
  };
  const signed = (width: number): number => {
    const value = read(width);
    return value >= 2 ** (width - 1) ? value - 2 ** width : value;
  };
  if (read(3) !== 1) throw new Error('a packet must hold a pair');
  read(4 + 12);
  const hasCount = read(1) === 1;
  const shift = 8 * read(2);
  const isRaw = read(1) === 1;
  const frames = hasCount ? read(32) : 4096;
  const left: number[] = [];
  const right: number[] = [];
  if (isRaw) {
    for (let i = 0; i < frames; i++) {
      left.push(signed(bitDepth));
      right.push(signed(bitDepth));
    }
    if (read(3) !== 7) throw new Error('a packet must end');
    return [left, right];
  }
  const mixBits = read(8);
  const mixRes = read(8);
  const heads = [0, 1].map(() => {
    const quantum = read(8) & 15;
    const count = read(8) & 31;
    return { quantum, coefficients: Array.from({ length: count }, () => signed(16)) };
  });
  const low = Array.from({ length: shift > 0 ? 2 * frames : 0 }, () => read(shift));
  const width = bitDepth - shift + 1;
  const [u, v] = heads.map(({ quantum, coefficients }) => {
    const remainders = readRemainders(read, frames, width);
    return unpredict(remainders, coefficients, quantum, width);
  }) as [number[], number[]];
  for (let i = 0; i < frames; i++) {
    const difference = v[i] as number;
    const first = u[i] as number;
    const r = mixRes === 0 ? difference : first - Math.floor((difference * mixRes) / 2 ** mixBits);
    const l = mixRes === 0 ? first : r + difference;
    left.push(l * 2 ** shift + (low[2 * i] ?? 0));
    right.push(r * 2 ** shift + (low[2 * i + 1] ?? 0));
  }
  if (read(3) !== 7) throw new Error('a packet must end');
  return [left, right];
}

/** Reads numbers in adaptive Golomb codes, with runs of zeros. */
function readRemainders(read: (width: number) => number, frames: number, width: number): number[] {
  const found: number[] = [];
  const code = (k: number, plainWidth: number): number => {
    let quotient = 0;
    while (quotient < 9 && read(1) === 1) quotient++;
    if (quotient === 9) return read(plainWidth);
    // After its zero a code has k − 1 bits, and one more unless those are all 0.
    if (k <= 1) return quotient;
    const head = read(k - 1);
    const base = quotient * (2 ** k - 1);
    if (head === 0) return base;
    return base + head * 2 + read(1) - 1;
  };
  let mean = 10;
  let isAfterRun = 0;
  while (found.length < frames) {
    const k = Math.min(Math.floor(Math.log2(Math.floor(mean / 512) + 3)), 14);
    const n = code(k, width) + isAfterRun;
    found.push(n % 2 === 1 ? -(n + 1) / 2 : n / 2);
    mean = 40 * n + mean - Math.floor((40 * mean) / 512);
    if (n - isAfterRun > 65_535) mean = 65_535;
    isAfterRun = 0;
    if (4 * mean >= 512 || found.length >= frames) continue;
    const runBits = Math.clz32(mean) - 24 + Math.floor((mean + 16) / 64);
    const run = code(runBits, 16);
    for (let i = 0; i < run; i++) found.push(0);
    isAfterRun = run < 65_535 ? 1 : 0;
    mean = 0;
  }
  return found;
}

/** Inverts the prediction, adapting its coefficients as the encoder did. */
function unpredict(
  remainders: readonly number[],
  start: readonly number[],
  quantum: number,
  width: number,
): number[] {
  const coefficients = [...start];
  const count = coefficients.length;
  const wrap = (value: number): number => {
    const size = 2 ** width;
    const within = ((value % size) + size) % size;
    return within >= size / 2 ? within - size : within;
  };
  const output: number[] = [];
  for (const [j, missed] of remainders.entries()) {
    if (j === 0) output.push(missed);
    else if (j <= count) output.push(wrap((output[j - 1] as number) + missed));
    else {
      const top = output[j - count - 1] as number;
      const before = coefficients.map((_, k) => (output[j - 1 - k] as number) - top);
      const sum = before.reduce((total, value, k) => total + value * (coefficients[k] as number), 0);
      output.push(wrap(missed + top + Math.floor((sum + 2 ** (quantum - 1)) / 2 ** quantum)));
      let left = missed;
      for (let k = count - 1; k >= 0 && left !== 0 && Math.sign(left) === Math.sign(missed); k--) {
        const direction = Math.sign(missed) * Math.sign(-(before[k] as number));
        coefficients[k] = (coefficients[k] as number) - direction;
        left -= (count - k) * Math.floor((direction * -(before[k] as number)) / 2 ** quantum);
      }
    }
  }
  return output;
}
