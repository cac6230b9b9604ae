import type { Scope } from '@stem-studio/audio/base/scope';

const prefix = 'stem-studio-recording ';

/** Web Locks, visible to all pages of the same browser. */
type Locks = Pick<LockManager, 'request' | 'query'>;

/** Marks a recording as that of an open page, until the scope ends or the page closes, so that no other page offers it. */
export function holdRecording(
  id: string,
  scope: Scope,
  locks: Locks | undefined = globalThis.navigator?.locks,
): void {
  const held = () => new Promise<void>((resolve) => scope.own(resolve));
  locks?.request(prefix + id, held).catch(() => undefined);
}

/** Returns the ids of the recordings that belong to open pages. */
export async function heldRecordings(
  locks: Locks | undefined = globalThis.navigator?.locks,
): Promise<ReadonlySet<string>> {
  const known = await locks?.query().catch(() => null);
  const names = (known?.held ?? []).map(({ name }) => name ?? '');
  return new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
}
