/**
 * Yields several streams side by side, in blocks as long as all of them have ready.
 *
 * The result is as long as the longest stream; shorter ones are padded with silence. Ending the iteration early ends
 * every stream.
 *
 * @param streams blocks of audio channels, the same number in each stream
 * @returns the audio channels of each stream, all of the same length
 */
export async function* alignBlocks(
  streams: readonly AsyncIterable<Float32Array[]>[],
): AsyncGenerator<Float32Array[][]> {
  const readers = streams.map((stream) => ({
    iterator: stream[Symbol.asyncIterator](),
    block: [] as Float32Array[],
    at: 0,
    isOver: false,
  }));
  let channels = 0;
  try {
    for (;;) {
      for (const reader of readers) {
        while (!reader.isOver && reader.at >= (reader.block[0]?.length ?? 0)) {
          const next = await reader.iterator.next();
          reader.isOver = next.done === true;
          reader.block = next.done === true ? [] : next.value;
          reader.at = 0;
        }
        channels = Math.max(channels, reader.block.length);
      }
      const present = readers.filter(({ isOver }) => !isOver);
      if (present.length === 0) return;
      const length = Math.min(...present.map(({ block, at }) => (block[0]?.length ?? 0) - at));
      yield readers.map(({ block, at }) =>
        Array.from(
          { length: channels },
          (_, index) => block[index]?.subarray(at, at + length) ?? new Float32Array(length),
        ),
      );
      for (const reader of present) reader.at += length;
    }
  } finally {
    for (const { iterator } of readers) await iterator.return?.();
  }
}
