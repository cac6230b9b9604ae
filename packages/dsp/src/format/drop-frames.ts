/**
 * Yields blocks without the first `count` sample frames. It yields no empty block, and none if there are no more
 * frames.
 */
export async function* dropFrames(
  blocks: AsyncGenerator<Float32Array[], void, undefined>,
  count: number,
): AsyncGenerator<Float32Array[], void, undefined> {
  let left = count;
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    if (left === 0) yield block;
    else if (left < length) {
      yield block.map((part) => part.subarray(left));
      left = 0;
    } else left -= length;
  }
}
