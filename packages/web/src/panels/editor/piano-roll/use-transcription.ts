import { transcribe } from '@stem-studio/contract/endpoints/notes';
import { notesOnTimeline } from '@stem-studio/contract/projects/notes-on-timeline';
import { cancelledError, type JobState } from '@stem-studio/contract/resources/job';
import type { Separation } from '@stem-studio/contract/resources/separation';
import type { Stem } from '@stem-studio/contract/resources/stem';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorText } from '../../../client/api-error.ts';
import { call } from '../../../client/call.ts';
import { isFinished } from '../../../client/live-merge.ts';
import { notesJobsQuery, notesQuery } from '../../../client/queries.ts';
import { toastError } from '../../../state/toasts.state.ts';
import type { EditorModel } from '../editor-model.ts';
import { setEdits } from './roll-edits.ts';

/** Transcription of lanes: the job in progress, and how to start one. */
export interface LaneTranscription {
  /** Lane whose notes are awaited; null for none. */
  readonly lane: string | null;
  readonly job: JobState | null;
  /** Transcribes the stem of a lane, or takes the notes that it was transcribed to before. */
  readonly start: (lane: string, stem: Stem) => Promise<void>;
}

/** Transcription that was started on this page, whose notes become those of the lane. */
interface Awaited {
  readonly lane: string;
  readonly stem: Stem;
  readonly jobId: string;
}

/** Returns the stem of a lane that can be transcribed; null for drums, which have no pitch, and for a stem that is gone. */
export function stemOf(separation: Separation | null, lane: string): Stem | null {
  const stem = separation?.stems.find(({ stem_type }) => stem_type === lane);
  return stem && stem.stem_type !== 'drums' ? stem : null;
}

/** Transcribes lanes of a project; the notes become those of the lane when the job is completed. */
export function useTranscription(model: EditorModel, trackId: string): LaneTranscription {
  const client = useQueryClient();
  const [awaited, setAwaited] = useState<Awaited | null>(null);
  const jobs = useQuery({ ...notesJobsQuery(trackId), enabled: awaited !== null });
  const found = jobs.data?.data.find(({ id }) => id === awaited?.jobId);
  const setNotes = async (lane: string, { id, stem_type }: Stem): Promise<boolean> => {
    const all = await client.fetchQuery({ ...notesQuery(trackId), staleTime: 0 });
    const transcription = all.find(({ stem_id }) => stem_id === id);
    if (!transcription) return false;
    const notes = notesOnTimeline(model.state, lane, stem_type, transcription.notes);
    for (const edit of setEdits(lane, notes)) model.edit(edit);
    return true;
  };
  const report = (error: unknown) => toastError('The lane was not transcribed', errorText(error));
  const status = found?.status ?? null;
  const finish = useEffectEvent(async () => {
    if (!awaited || !found) return;
    if (status === 'failed' && found.error !== cancelledError)
      toastError('The lane was not transcribed', found.error ?? 'The job failed');
    if (status !== 'completed') return;
    try {
      await setNotes(awaited.lane, awaited.stem);
    } catch (error) {
      report(error);
    }
  });
  const endedId = found && isFinished(found.status) ? found.id : null;
  useEffect(() => {
    if (endedId !== null) void finish();
  }, [endedId]);
  return {
    lane: endedId === null ? (awaited?.lane ?? null) : null,
    job: found ? { ...found, job_id: found.id } : null,
    start: async (lane, stem) => {
      try {
        if (await setNotes(lane, stem)) return;
        const { data } = await call(transcribe, { body: { track_id: trackId, stem_id: stem.id } });
        setAwaited({ lane, stem, jobId: data.job_id });
        await client.invalidateQueries({ queryKey: ['jobs'] });
      } catch (error) {
        report(error);
      }
    },
  };
}
