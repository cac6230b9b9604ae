import { editBeatGrid, getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import type { Track } from '@stem-studio/contract/resources/track';
import { completeAnalysis } from '../features/analysis/analysis.service.ts';
import { findTrack, trackSubject } from '../features/tracks/index.ts';
import { newId } from '../platform/ids.ts';
import { subjectColumns } from '../platform/queue/job-subject.ts';
import { insertJob } from '../platform/queue/jobs.store.ts';
import { type LibraryApp, openLibrary } from './library-steps.ts';
import { drainJobs, type TestLifetime, type TestOverrides } from './test-context.ts';
import { insertTestTrack } from './test-track.ts';

/** Length of a track with synthetic analyses, in seconds. */
export const analyzedSeconds = 60;

/** A track with synthetic analyses: the test defines their results. */
export interface AnalyzedTrack {
  readonly library: LibraryApp;
  readonly id: string;
  /**
   * Completes an analysis with beats at a tempo and returns its job's id. The bars have four beats; the jobs that
   * follow are awaited.
   */
  readonly analyze: (rhythm: { readonly bpm: number; readonly firstSeconds?: number }) => Promise<string>;
  readonly gridNow: () => Promise<BeatGrid>;
  /** Edits the beats, waits for the jobs that follow, and returns the grid. */
  readonly edit: (body: object) => Promise<BeatGrid>;
  readonly trackNow: () => Promise<Track>;
}

/** Opens a library with a track of one minute that has no analysis. */
export async function openUnanalyzed(t: TestLifetime, overrides: TestOverrides = {}): Promise<AnalyzedTrack> {
  const library = await openLibrary(t, { ...overrides, config: { autoAnalyze: true, ...overrides.config } });
  const { context, user } = library;
  const id = await insertTestTrack(context, user.id);
  return {
    library,
    id,
    analyze: (rhythm) => analyzeBeats(library, id, rhythm),
    gridNow: async () => (await library.ask(getBeatGrid, { params: { id } })).body.data,
    async edit(body) {
      const reply = await library.ask(editBeatGrid, { params: { id }, body });
      await drainJobs(context);
      return reply.body.data;
    },
    trackNow: async () => (await library.ask(getTrack, { params: { id } })).body.data,
  };
}

/** Completes an analysis of the user's track, as {@link AnalyzedTrack.analyze} does. */
export async function analyzeBeats(
  { context, user }: LibraryApp,
  trackId: string,
  { bpm, firstSeconds = 0.4 }: { readonly bpm: number; readonly firstSeconds?: number },
): Promise<string> {
  const jobId = newId();
  const asked = {
    id: jobId,
    type: 'analysis',
    user_id: user.id,
    ...subjectColumns(trackSubject(trackId)),
  } as const;
  await context.db.transaction().execute(async (tx) => {
    const created_at = context.clock.now();
    await insertJob(tx, {
      ...asked,
      args: { features: ['all'] },
      batch_id: null,
      message: '',
      max_attempts: 1,
      created_at,
    });
    const run = { jobId, trackId, userId: user.id };
    const track = await findTrack(tx, trackId);
    const audioSourceId = track?.audio_source_id ?? null;
    await completeAnalysis(context, tx, run, audioSourceId, analysisResult(bpm, firstSeconds));
  });
  await context.db.updateTable('jobs').set({ status: 'completed' }).where('id', '=', jobId).execute();
  await drainJobs(context);
  return jobId;
}

/** Opens a track as {@link openUnanalyzed} does, with an analysis at 120 bpm. */
export async function openAnalyzed(t: TestLifetime, overrides: TestOverrides = {}): Promise<AnalyzedTrack> {
  const analyzed = await openUnanalyzed(t, overrides);
  await analyzed.analyze({ bpm: 120 });
  return analyzed;
}

/** Returns the result of an analysis with beats at a tempo; 0 for no beats. */
function analysisResult(bpm: number, firstSeconds: number): AnalysisResult {
  const count = Math.floor((analyzedSeconds - firstSeconds) * (bpm / 60));
  const beats = Array.from(
    { length: count },
    (_, index) => Math.round((firstSeconds + (index * 60) / bpm) * 10_000) / 10_000,
  );
  return {
    duration_seconds: analyzedSeconds,
    tempo: bpm,
    tempo_confidence: bpm > 0 ? 0.8 : 0,
    tempo_stable: bpm > 0,
    tempo_curve: [],
    time_signature: bpm > 0 ? '4/4' : '',
    beats,
    beat_frames: beats.map((beat) => Math.round((beat * 22_050) / 512)),
    downbeats: beats.filter((_, index) => index % 4 === 1),
    sections: [{ start: 0, end: analyzedSeconds, label: 'verse' }],
    energy: 0.5,
    energy_curve: Array.from({ length: analyzedSeconds }, () => 0.5),
  };
}
