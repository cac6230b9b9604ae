import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { trackBounds } from '@stem-studio/contract/limits';
import { pitchClasses, type Track } from '@stem-studio/contract/resources/track';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keyText } from '../../base/key-text.ts';
import { ApiError, errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { mergeTrack } from '../../client/merge-events.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import styles from './edit-track-dialog.module.css';
import { RatingField } from './rating-field.tsx';
import { TagField } from './tag-field.tsx';
import { draftOf, patchOf, type TrackDraft } from './track-draft.ts';

const keyOptions = [
  { value: '', label: 'None or unknown' },
  ...['minor', 'major']
    .flatMap((mode) => pitchClasses.map((tonic) => `${tonic} ${mode}`))
    .map((key) => ({ value: key, label: `${keyText(key)} (${camelotOf(key)})` })),
];

/** Form for a track's metadata. Sends only changed fields. */
export function EditTrackDialog({ track, onClose }: { track: Track; onClose: () => void }) {
  const [draft, setDraft] = useState<TrackDraft>(() => draftOf(track));
  const client = useQueryClient();
  const { patch, errors } = patchOf(track, draft);
  const save = useMutation({
    mutationFn: () => call(updateTrack, { params: { id: track.id }, body: patch }),
    onSuccess: ({ data }) => {
      mergeTrack(client, data);
      onClose();
    },
  });
  const refused = save.error instanceof ApiError ? save.error.details : {};
  const errorOf = (name: keyof TrackDraft) => errors[name] ?? refused[name]?.join('; ') ?? '';
  const change = (fields: Partial<TrackDraft>) => setDraft((now) => ({ ...now, ...fields }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(errors).length > 0) return;
    if (Object.keys(patch).length === 0) onClose();
    else save.mutate();
  };
  return (
    <Dialog title="Edit track" onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Field
          label="Title"
          value={draft.title}
          error={errorOf('title')}
          onChange={(e) => change({ title: e.target.value })}
        />
        <Field
          label="Artist"
          value={draft.artist}
          error={errorOf('artist')}
          onChange={(e) => change({ artist: e.target.value })}
        />
        <Field
          label="Album"
          value={draft.album}
          error={errorOf('album')}
          onChange={(e) => change({ album: e.target.value })}
        />
        <div className={styles['pair']}>
          <Field
            label="Genre"
            value={draft.genre}
            error={errorOf('genre')}
            onChange={(e) => change({ genre: e.target.value })}
          />
          <Field
            label="Year"
            inputMode="numeric"
            value={draft.year}
            error={errorOf('year')}
            onChange={(e) => change({ year: e.target.value })}
          />
        </div>
        <div className={styles['pair']}>
          <Field
            label="Tempo in BPM"
            inputMode="decimal"
            placeholder="unknown"
            value={draft.bpm}
            error={errorOf('bpm')}
            onChange={(e) => change({ bpm: e.target.value })}
          />
          <SelectField
            label="Key"
            value={draft.key}
            options={keyOptions}
            onChange={(key) => change({ key })}
          />
        </div>
        <RatingField rating={draft.rating} onChange={(rating) => change({ rating })} />
        <TagField tags={draft.tags} onChange={(tags) => change({ tags })} error={errorOf('tags')} />
        <Field
          label="Comment"
          maxLength={trackBounds.comment}
          value={draft.comment}
          error={errorOf('comment')}
          onChange={(e) => change({ comment: e.target.value })}
        />
        {save.isError && Object.keys(refused).length === 0 && (
          <p role="alert" className={styles['error']}>
            Nothing was saved. {errorText(save.error)}
          </p>
        )}
        <div className={styles['actions']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
