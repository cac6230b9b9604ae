import type { Config } from '../platform/config.ts';
import { standInKeys } from './stand-ins/cloud-data.ts';
import { type StandInCloud, startStandInCloud } from './stand-ins/cloud-server.ts';
import type { TestLifetime } from './test-context.ts';

/** Starts the stand-in for the cloud service, closed after the test. */
export async function openStandInCloud(t: TestLifetime): Promise<StandInCloud> {
  const cloud = await startStandInCloud();
  t.after(() => cloud.close());
  return cloud;
}

/** Returns settings that make the service use the stand-in, with a shared key and without delays between requests. */
export function cloudConfig(
  { url }: Pick<StandInCloud, 'url'>,
  change: Partial<Config['cloudsep']> = {},
): Config['cloudsep'] {
  return {
    url,
    key: standInKeys.rich,
    checksPerMinute: 3000,
    replySeconds: 30,
    taskSeconds: 600,
    concurrency: 2,
    ...change,
  };
}
