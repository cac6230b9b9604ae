/**
 * Applies `work` to each item with at most `parallel` running at once, and gives the results in the order of the
 * items. No more than `parallel` items are drawn ahead, so memory stays flat. The first failure ends it.
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
      // A failure is thrown where the result is awaited; until then it must not count as unhandled.
      result.catch(() => {});
      running.push(result);
      if (running.length >= parallel) yield await (running.shift() as Promise<Result>);
    }
    while (running.length > 0) yield await (running.shift() as Promise<Result>);
  } finally {
    await Promise.allSettled(running);
  }
}
