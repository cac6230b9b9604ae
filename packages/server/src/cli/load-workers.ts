import type { Worker } from '../platform/queue/worker.ts';

/** Returns the workers of all features, which are loaded only now: other commands start without them. */
export async function loadWorkers(): Promise<readonly Worker[]> {
  const [{ wiringOf }, { features }] = await Promise.all([import('../app.ts'), import('../features.ts')]);
  return wiringOf(features).workers;
}
