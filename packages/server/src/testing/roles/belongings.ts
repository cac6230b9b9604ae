import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { separate } from '@stem-studio/contract/endpoints/processing';
import type { JobType } from '@stem-studio/contract/states';
import type { Selectable } from 'kysely';
import type { AnalysesTable } from '../../features/analysis/analysis.tables.ts';
import type { StemsTable } from '../../features/processing/processing.tables.ts';
import { trackSubject } from '../../features/tracks/index.ts';
import type { TracksTable } from '../../features/tracks/tracks.tables.ts';
import type { Context } from '../../platform/context.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import { newId } from '../../platform/ids.ts';
import { subjectColumns } from '../../platform/queue/job-subject.ts';
import { insertJob } from '../../platform/queue/jobs.store.ts';
import { requestJob } from '../../platform/queue/jobs.ts';
import type { LibraryApp } from '../library-steps.ts';
import { testWav } from '../test-audio.ts';
import { drainJobs } from '../test-context.ts';
import { insertTestTrack } from '../test-track.ts';
import type { Person } from './enrol.ts';

/** A track with all derived records, and the ids of the catalog: the template of the records of every user. */
export interface Pattern {
  readonly audioSourceId: string | null;
  readonly jobs: readonly JobRow[];
  readonly stems: readonly Selectable<StemsTable>[];
  readonly analysis: Selectable<AnalysesTable>;
  readonly catalogId: string;
  readonly catalogUrl: string;
  /** The uploaded song. */
  readonly file: Uint8Array;
}

/** Creates the pattern: uploads, separates and analyses a real song. */
export async function createPattern(library: LibraryApp): Promise<Pattern> {
  const file = await testWav();
  const { id } = await library.addTrack(file);
  await library.ask(separate, { body: { track_id: id } });
  await library.ask(analyze, { body: { track_id: id } });
  await drainJobs(library.context);
  const { db } = library.context;
  const source = await db
    .selectFrom('tracks')
    .select('audio_source_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const [found] = (await library.ask(searchCatalog, { query: { q: 'a' } })).body.data;
  return {
    audioSourceId: source.audio_source_id,
    jobs: await db.selectFrom('jobs').selectAll().where('subject_id', '=', id).execute(),
    stems: await db.selectFrom('stems').selectAll().where('track_id', '=', id).execute(),
    analysis: await db
      .selectFrom('analyses')
      .selectAll()
      .where('track_id', '=', id)
      .executeTakeFirstOrThrow(),
    catalogId: found?.catalog_id ?? '',
    catalogUrl: found?.catalog_url ?? '',
    file,
  };
}

/** A track of a user, and its jobs. */
interface OwnedTrack {
  readonly id: string;
  readonly jobs: Readonly<Record<'download' | 'processing' | 'analysis', string>>;
}

/** Creates records of one user. */
export interface Belongings {
  readonly context: Context;
  readonly pattern: Pattern;
  readonly owner: Person;
  /** Creates a track with audio, and a completed download, separation (without stems) and analysis. */
  track(change?: Partial<Selectable<TracksTable>>): Promise<OwnedTrack>;
  /** Creates a track with all stems and their files, and returns one of the stems. */
  stem(): Promise<{ id: string; path: string; trackId: string; jobs: OwnedTrack['jobs'] }>;
  /** Creates a queued analysis. */
  waitingJob(): Promise<string>;
  /** Creates a failed analysis. */
  failedJob(): Promise<string>;
  /** Creates an import in progress. */
  libraryImport(): Promise<string>;
}

/** Returns functions that create records of `owner`: copies of the pattern, inserted into the database. */
export function belongingsOf(context: Context, pattern: Pattern, owner: Person): Belongings {
  const { db } = context;
  const track: Belongings['track'] = async (change = {}) => {
    const id = await insertTestTrack(context, owner.id, owner.mark);
    const jobs = pattern.jobs.map((job) => ({ ...job, id: newId(), subject_id: id, user_id: owner.id }));
    const idOf = (type: JobType) => jobs.find((job) => job.type === type)?.id ?? '';
    const rows = jobs.map((job) => ({ ...job, args: JSON.stringify(job.args) }));
    await db.insertInto('jobs').values(rows).execute();
    const columns = {
      audio_source_id: pattern.audioSourceId,
      quality: 'high',
    } as const;
    await db
      .updateTable('tracks')
      .set({ ...columns, ...change })
      .where('id', '=', id)
      .execute();
    const result = JSON.stringify(pattern.analysis.result);
    await db
      .insertInto('analyses')
      .values({ ...pattern.analysis, result, track_id: id, job_id: idOf('analysis') })
      .execute();
    const byType = { download: idOf('download'), processing: idOf('processing'), analysis: idOf('analysis') };
    return { id, jobs: byType };
  };
  const jobArgs = pattern.jobs.find((job) => job.type === 'analysis')?.args ?? {};
  return {
    context,
    pattern,
    owner,
    track,
    async stem() {
      const { id: track_id, jobs } = await track();
      const stems = pattern.stems.map((stem) => {
        const file_path = `stems/${jobs.processing}/${stem.stem_type}.wav`;
        return { ...stem, id: newId(), track_id, processing_job_id: jobs.processing, file_path };
      });
      for (const [i, { file_path }] of stems.entries()) {
        const path = context.files.absolute(file_path);
        await mkdir(dirname(path), { recursive: true });
        await copyFile(context.files.absolute(pattern.stems[i]?.file_path ?? ''), path);
      }
      await db.insertInto('stems').values(stems).execute();
      await db
        .updateTable('tracks')
        .set({ stems_job_id: jobs.processing })
        .where('id', '=', track_id)
        .execute();
      const [first] = stems;
      if (!first) throw new Error('the pattern has no stems');
      return { id: first.id, path: first.file_path, trackId: track_id, jobs };
    },
    async waitingJob() {
      const { id } = await track();
      const asked = {
        type: 'analysis',
        user_id: owner.id,
        subject: trackSubject(id),
        args: jobArgs,
      } as const;
      return (await db.transaction().execute((tx) => requestJob(context, tx, asked))).id;
    },
    async failedJob() {
      const { jobs } = await track();
      const change = { status: 'failed', error: 'it did not work' } as const;
      await db.updateTable('jobs').set(change).where('id', '=', jobs.analysis).execute();
      return jobs.analysis;
    },
    async libraryImport() {
      const id = newId();
      const created_at = context.clock.now();
      const what = { user_id: owner.id, title: owner.mark, type: 'album', total: 1 } as const;
      await db
        .insertInto('imports')
        .values({ id, ...what, created_at })
        .execute();
      const subject = subjectColumns(trackSubject((await track()).id));
      const job = { id: newId(), type: 'download', user_id: owner.id, ...subject, args: {} } as const;
      await db
        .transaction()
        .execute((tx) => insertJob(tx, { ...job, batch_id: id, message: '', max_attempts: 3, created_at }));
      return id;
    },
  };
}
