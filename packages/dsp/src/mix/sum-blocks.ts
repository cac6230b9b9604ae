/**
 * The sum of several streams, sample by sample, in blocks as long as what all of them have ready. It is as long as the
 * longest; a shorter stream is silent after its end. Sums are rounded once, to single precision: those of 16-bit sound,
 * and of 24-bit sound within full scale, are exact.
 *
 * @param streams blocks of audio channels, as many in each stream
 */
export async function* sumBlocks(
  streams: readonly AsyncIterable<Float32Array[]>[],
): AsyncGenerator<Float32Array[]> {
  const readers = streams.map((stream) => ({
    iterator: stream[Symbol.asyncIterator](),
    block: [] as Float32Array[],
    at: 0,
    isOver: false,
  }));
  try {
    for (;;) {
      for (const reader of readers) {
        while (!reader.isOver && reader.at >= (reader.block[0]?.length ?? 0)) {
          const next = await reader.iterator.next();
          reader.isOver = next.done === true;
          reader.block = next.done === true ? [] : next.value;
          reader.at = 0;
        }
      }
      const present = readers.filter(({ isOver }) => !isOver);
      if (present.length === 0) return;
      const length = Math.min(...present.map(({ block, at }) => (block[0]?.length ?? 0) - at));
      const [first] = present;
      const sum = Array.from({ length: first?.block.length ?? 0 }, () => new Float64Array(length));
      for (const reader of present) {
        for (const [index, total] of sum.entries()) {
          const samples = reader.block[index];
          if (!samples) continue;
          for (let i = 0; i < length; i++)
            total[i] = (total[i] as number) + (samples[reader.at + i] as number);
        }
        reader.at += length;
      }
      yield sum.map((total) => Float32Array.from(total));
    }
  } finally {
    for (const { iterator } of readers) await iterator.return?.();
  }
}
