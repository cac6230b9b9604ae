import type { Track } from '@stem-studio/contract/resources/track';
import type { Context } from '../../context.ts';
import { describeAccount } from '../accounts/index.ts';
import { findAnalysisOfJob } from '../analysis/index.ts';
import { listAuditOf } from '../audit/index.ts';
import { presentCue } from '../cues/index.ts';
import type { ZipFile } from '../exports/index.ts';
import { presentJobs } from '../jobs/index.ts';
import { findTranscription, presentTranscription } from '../notes/index.ts';
import { listCloudTasksOf, presentStem } from '../processing/index.ts';
import { allTracksOf } from '../tracks/index.ts';
import * as store from './account-export.store.ts';

/** Whose data, and under which address the studio serves the sound that is linked, without a slash at its end. */
interface AccountExport {
  readonly userId: number;
  readonly studioUrl: string;
}

/**
 * All that a user has here, as files of JSON, each read from the database while it is its turn. Sound is linked, not
 * contained. No password, key, token or hash of one is among it.
 */
export async function* accountFiles(context: Context, of: AccountExport): AsyncGenerator<ZipFile> {
  const modified = context.clock.now();
  const file = (name: string, bytes: AsyncIterable<Uint8Array>): ZipFile => ({ name, modified, bytes });
  const { userId } = of;
  const account = await describeAccount(context, userId);
  yield file('README.txt', whole(readMe(of)));
  yield file('account.json', whole(asJson({ ...account, audit_log: await listAuditOf(context.db, userId) })));
  yield file(
    'tracks.json',
    list(context, userId, (tracks) => Promise.resolve(tracks.map((track) => withLinks(track, of)))),
  );
  yield file(
    'stems.json',
    list(context, userId, async (tracks) =>
      (await store.listStemsOf(context.db, idsOf(tracks))).map((stem) => ({
        ...presentStem(stem),
        link: `${of.studioUrl}/export/stem/${stem.id}`,
      })),
    ),
  );
  yield file(
    'jobs.json',
    list(
      context,
      userId,
      async (tracks) => presentJobs(context.db, await store.listJobsOf(context.db, idsOf(tracks))),
      async () => presentJobs(context.db, await store.listOtherJobsOf(context.db, userId)),
    ),
  );
  const cloudTasks = await listCloudTasksOf(context.db, userId);
  yield file(
    'cloud.json',
    whole(
      asJson(
        cloudTasks.map(({ account, asked_at, ...task }) => ({
          ...task,
          key: account.startsWith('own:') ? 'own' : 'system',
          asked_at: asked_at.toISOString(),
        })),
      ),
    ),
  );
  yield file(
    'cues.json',
    list(context, userId, async (tracks) =>
      (await store.listCuesOf(context.db, idsOf(tracks))).map((row) => presentCue(row)),
    ),
  );
  yield file(
    'beat-grids.json',
    list(context, userId, (tracks) => store.listGridStepsOf(context.db, idsOf(tracks))),
  );
  for await (const tracks of allTracksOf(context, userId)) {
    for (const { job_id, track_id, created_at } of await store.listAnalysesOf(context.db, idsOf(tracks))) {
      const result = await findAnalysisOfJob(context.db, job_id);
      const text = asJson({ track_id, job_id, created_at: created_at.toISOString(), result });
      yield { name: `analyses/${track_id}/${job_id}.json`, modified: created_at, bytes: whole(text) };
    }
    for (const { id, track_id, source, created_at } of await store.listNotesOf(context.db, idsOf(tracks))) {
      const row = await findTranscription(context.db, id);
      // Others may have taken their place meanwhile.
      if (!row) continue;
      const text = asJson(presentTranscription(row));
      yield { name: `notes/${track_id}/${source}.json`, modified: created_at, bytes: whole(text) };
    }
  }
}

function idsOf(tracks: readonly Track[]): string[] {
  return tracks.map(({ id }) => id);
}

function withLinks(track: Track, { studioUrl }: AccountExport) {
  const { audio } = track;
  return { ...track, link: audio && `${studioUrl}/files/${audio.file_path}` };
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function* whole(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Yields a JSON array of the entries about the user's tracks, then of the other ones, one entry a line. */
async function* list(
  context: Context,
  userId: number,
  entriesOf: (tracks: readonly Track[]) => Promise<readonly unknown[]>,
  otherEntries: () => Promise<readonly unknown[]> = () => Promise.resolve([]),
): AsyncGenerator<Uint8Array> {
  let before = '[\n';
  const lines = (entries: readonly unknown[]) => {
    let text = '';
    for (const entry of entries) {
      text += before + JSON.stringify(entry);
      before = ',\n';
    }
    return Buffer.from(text);
  };
  for await (const tracks of allTracksOf(context, userId)) {
    if (tracks.length > 0) yield lines(await entriesOf(tracks));
  }
  yield lines(await otherEntries());
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}

function readMe({ studioUrl }: AccountExport): string {
  return `What Stem Studio at ${studioUrl} keeps of your account.

account.json    who you are, the names of your API keys, where you are logged in, what was decided about your account
tracks.json     your tracks; "link" leads to the sound
stems.json      your stems; "link" leads to the sound
jobs.json       what was done for your tracks, and what became of it
cloud.json      what was asked of the cloud service for your tracks, and the minutes it took
cues.json       the cue points of your tracks
beat-grids.json what you did to the beats of your tracks, step by step
analyses/       what each analysis found, by track and job
notes/          the notes that were heard, by track and stem; "mix" is the whole song

The links work while you are logged in, or with an API key, as long as the tracks are there. Passwords and keys are not
in here: the studio itself cannot read them.
`;
}
