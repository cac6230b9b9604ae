type Load = () => Promise<unknown>;

/** Loads of parts and modules that were not needed so far. */
const pending = new Set<Load>();

/** Returns a function that loads a module on demand, and lets {@link loadPendingParts} load it before. */
export function onDemand<M>(load: () => Promise<M>): () => Promise<M> {
  const loadOnce = async (): Promise<M> => {
    const loaded = await load();
    pending.delete(loadOnce);
    return loaded;
  };
  pending.add(loadOnce);
  return loadOnce;
}

/**
 * Loads all parts of the page that were not needed so far, one after the other, and those that they bring.
 *
 * @param rest waits until the page has nothing else to do
 * @throws the error of the first part that could not be loaded; another call goes on from there
 */
export async function loadPendingParts(rest: () => Promise<void>): Promise<void> {
  // A part that is loaded may add others at the end.
  for (const load of pending) {
    await rest();
    await load();
  }
}
