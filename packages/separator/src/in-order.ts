/**
 * Applies `work` to each item, at most `parallel` at once, and yields the results in the order of the items.
 *
 * At most `parallel` items are read ahead, so memory is bounded. The first error ends the iteration.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  parallel: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // The error is thrown where the result is awaited; until then it must not count as unhandled.
      result.catch(() => {});
      running.push(result);
      if (running.length >= parallel) yield await (running.shift() as Promise<Result>);
    }
    while (running.length > 0) yield await (running.shift() as Promise<Result>);
  } finally {
    await Promise.allSettled(running);
  }
}
