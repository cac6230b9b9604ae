import assert from 'node:assert/strict';
import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { retryJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import type { ProcessingJob } from '@stem-studio/contract/resources/processing-job';
import type { Track } from '@stem-studio/contract/resources/track';
import { listTasks, sumSpentMinutes } from '../features/processing/cloud/cloud-tasks.store.ts';
import { sumOfMinutes } from '../features/processing/cloud/split-plan.ts';
import type { Config } from '../platform/config.ts';
import { cloudConfig, openStandInCloud } from './cloud-config.ts';
import { eventually } from './eventually.ts';
import { type Answer, type Caller, type LibraryApp, openLibrary, type Question } from './library-steps.ts';
import { enrol } from './roles/enrol.ts';
import type { StandInCloud } from './stand-ins/cloud-server.ts';
import { testWav } from './test-audio.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { drainJobs, type TestLifetime, type TestOverrides } from './test-context.ts';

/** The service with one user, and the stand-in for the cloud service. */
export interface CloudLibrary {
  readonly library: LibraryApp;
  readonly cloud: StandInCloud;
  /** Clock of the service. */
  readonly clock: TestClock;
  /** Calls an endpoint as the user's browser, for endpoints that only browsers may call. */
  readonly askInBrowser: <T extends EndpointSpec>(
    spec: T,
    question?: Question,
    as?: Caller,
  ) => Promise<Answer<T>>;
  /** Adds a track of the given length in seconds. */
  readonly addTrack: (seconds?: number) => Promise<Track>;
  /** Requests a cloud separation and returns its job's id. */
  readonly askFor: (trackId: string, more?: object, as?: Caller) => Promise<string>;
  readonly jobOf: (id: string, as?: Caller) => Promise<ProcessingJob>;
  /** Requests a cloud separation and waits until it has finished. */
  readonly separated: (trackId: string, more?: object) => Promise<ProcessingJob>;
  /** Retries a failed job as its user does and waits until it has finished. */
  readonly retried: (id: string) => Promise<ProcessingJob>;
  /** Returns the minutes that the tasks of all keys have used according to the ledger. */
  readonly spentMinutes: () => Promise<number>;
  /** Waits until this studio has recorded the end of a cancelled separation's tasks. */
  readonly untilSettled: (id: string) => Promise<void>;
  /** Waits until the service has received a request for a path, once or `times` times. */
  readonly untilAsked: (path: string, times?: number) => Promise<void>;
  /** Waits until `count` mishaps are left. */
  readonly untilMishaps: (count: number) => Promise<void>;
  /** Makes the tasks of a separation exceed the time limit and returns the failed job. */
  readonly tooLate: (id: string, as?: Caller) => Promise<ProcessingJob>;
  /** Returns a browser that a user is logged in with. */
  readonly browserOf: (userId: number) => Promise<Caller>;
}

/**
 * Opens both.
 *
 * @param change changes of the cloud service's settings
 */
export async function openCloudLibrary(
  t: TestLifetime,
  change: Partial<Config['cloudsep']> = {},
  overrides: TestOverrides = {},
): Promise<CloudLibrary> {
  const cloud = await openStandInCloud(t);
  const clock = createTestClock();
  const library = await openLibrary(t, {
    clock,
    ...overrides,
    config: { cloudsep: cloudConfig(cloud, change), ...overrides.config },
  });
  const { context, user } = library;
  const browserOf = async (userId: number): Promise<Caller> => {
    const caller = { name: '', standing: 'owner', way: 'cookie', hasCsrf: true } as const;
    const headers = await enrol(context, caller, { id: userId, email: '', mark: '' }, '-');
    return { headers: headers as unknown as Caller['headers'] };
  };
  const browser = await browserOf(user.id);
  const askFor: CloudLibrary['askFor'] = async (track_id, more = {}, as) => {
    const body = { track_id, engine: 'cloud', ...more };
    const accepted = await library.ask(separate, { body }, as);
    assert.equal(accepted.status, 201);
    return accepted.body.data.job_id;
  };
  const jobOf: CloudLibrary['jobOf'] = async (id, as) =>
    (await library.ask(getProcessingJob, { params: { id } }, as)).body.data;
  return {
    library,
    cloud,
    clock,
    browserOf,
    askFor,
    jobOf,
    askInBrowser: (spec, question, as = browser) => library.ask(spec, question, as),
    addTrack: async (seconds = 2) => library.addTrack(await testWav({ seconds })),
    async retried(id) {
      const again = await library.ask(retryJob, { params: { id } });
      await drainJobs(context);
      return jobOf(again.body.data.id);
    },
    async spentMinutes() {
      const rows = await context.db.selectFrom('cloud_tasks').select('account').distinct().execute();
      const spent = await Promise.all(rows.map(({ account }) => sumSpentMinutes(context.db, account)));
      return sumOfMinutes(spent);
    },
    async untilSettled(id) {
      await eventually(
        () => listTasks(context.db, [id]),
        (tasks) => tasks.every(({ state }) => state === 'cancelled'),
      );
    },
    async untilAsked(path, times = 1) {
      await eventually(
        () => cloud.requests.filter((request) => request.path.includes(path)).length,
        (count) => count >= times,
      );
    },
    async untilMishaps(count) {
      await eventually(
        () => cloud.mishaps.length,
        (left) => left <= count,
      );
    },
    async tooLate(id, as) {
      cloud.behaviour.isHeld = true;
      const checked = cloud.requests.filter(({ path }) => path.includes('check')).length;
      const working = drainJobs(context);
      await eventually(
        () => cloud.requests.filter(({ path }) => path.includes('check')).length,
        (count) => count > checked,
      );
      clock.advance(context.config.cloudsep.taskSeconds);
      await working;
      return jobOf(id, as);
    },
    async separated(trackId, more) {
      const id = await askFor(trackId, more);
      await drainJobs(context);
      return jobOf(id);
    },
  };
}
