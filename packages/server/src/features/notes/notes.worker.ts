import { attempts, concurrency } from '@stem-studio/contract/limits';
import { done, fail } from '../../platform/queue/verdict.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import { findStem } from '../processing/index.ts';
import { defineTrackWorker, findTrack, listSeconds } from '../tracks/index.ts';
import { completeTranscription } from './notes.service.ts';
import { storedNotesArgs } from './notes-args.ts';
import { transcribeNotes } from './transcribe-notes.ts';

/** Transcribes a stem or the stored audio of a track and stores the notes. */
export const notesWorker = defineTrackWorker({
  type: 'notes',
  args: storedNotesArgs,
  concurrency: () => concurrency.notes,
  attempts: attempts.notes,
  runningStatus: 'processing',
  costs: listSeconds,
  queuedMessage: 'waiting for other notes to finish',
  async perform(args, run, context) {
    const stem = args.stem_id === null ? null : await findStem(context.db, args.stem_id);
    if (stem === undefined) return fail('The stem was deleted. Transcribe one of the newer stems.');
    const path = stem ? stem.file_path : (await findTrack(context.db, run.trackId))?.audio?.audio_path;
    if (path === undefined) return fail('The track no longer has audio. Import it again, then press Retry.');
    const startedMs = context.clock.monotonicMs();
    const what = args.source === 'mix' ? 'the whole song' : `the ${args.source.replaceAll('_', ' ')}`;
    const message = `transcribing ${what}`;
    await run.report({ progress: 0, message });
    const notes = await transcribeNotes({
      path: context.files.absolute(path),
      maxDurationSeconds: context.config.maxDurationSeconds,
      onsetThreshold: args.onset_threshold,
      frameThreshold: args.frame_threshold,
      minimumNoteSeconds: args.minimum_note_ms / 1000,
      isMonophonic: args.monophonic,
      signal: run.signal,
      onProgress(part) {
        void run.report({
          progress: Math.floor(part * 99),
          message,
          eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, part),
        });
      },
    });
    return done((tx) => completeTranscription(context, tx, run, args, notes));
  },
});
