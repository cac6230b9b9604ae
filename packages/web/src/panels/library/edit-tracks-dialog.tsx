import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { countText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { fetchTracks } from '../../client/queries.ts';
import { useBatchActions } from '../../state/batch-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './edit-track-dialog.module.css';
import { RatingField } from './rating-field.tsx';
import { TagField } from './tag-field.tsx';
import { changeOf, keptDraft, sharedText, type TextField, tagsOf, textFields } from './tracks-draft.ts';
import type { Editing } from './use-row-dialogs.ts';

const labels: Readonly<Record<TextField, string>> = {
  artist: 'Artist',
  album: 'Album',
  genre: 'Genre',
  year: 'Year',
  comment: 'Comment',
};

/** Form for the metadata of several tracks. A field is kept unless its check box is set, which typing does. */
export function EditTracksDialog({ tracks, part, onClose }: Editing & { onClose: () => void }) {
  const batch = useBatchActions();
  const [draft, setDraft] = useState(keptDraft);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const ids = tracks.map(({ id }) => id);
  const loaded = useQuery({
    queryKey: ['selected-tracks', ids],
    queryFn: () => fetchTracks(ids),
    staleTime: 0,
    gcTime: 0,
  });
  const all = loaded.data ?? [];
  const { change, errors } = changeOf(draft);
  const setText = (field: TextField, text: string | null) =>
    setDraft((now) => ({ ...now, texts: { ...now.texts, [field]: text } }));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(errors).length > 0) return;
    if (change) {
      setIsSaving(true);
      const error = await batch.edit(tracks, change);
      setIsSaving(false);
      setFailure(error);
      if (error !== null) return;
    }
    onClose();
  };
  const count = countText(tracks.length, 'track');
  return (
    <Dialog title={part === 'tags' ? `Tag ${count}` : `Edit ${count}`} onClose={onClose}>
      <form className={styles['form']} onSubmit={(event) => void save(event)}>
        {part === 'all' && (
          <>
            <p className={styles['note']}>Fields without a check mark are kept.</p>
            {textFields.map((field) => {
              const shared = sharedText(all, field);
              const text = draft.texts[field];
              return (
                <div key={field} className={styles['kept']}>
                  <input
                    type="checkbox"
                    aria-label={`Change ${labels[field].toLowerCase()}`}
                    checked={text !== null}
                    onChange={(event) => setText(field, event.target.checked ? (shared ?? '') : null)}
                  />
                  <Field
                    label={labels[field]}
                    value={text ?? shared ?? ''}
                    placeholder={text === null && shared === null && all.length > 0 ? 'Different values' : ''}
                    error={errors[field] ?? ''}
                    onChange={(event) => setText(field, event.target.value)}
                  />
                </div>
              );
            })}
            <RatingField
              rating={draft.rating}
              onChange={(stars) =>
                setDraft((now) => ({ ...now, rating: now.rating === stars ? null : stars }))
              }
            />
          </>
        )}
        <TagField
          label="Add tags"
          tags={draft.addedTags}
          error={errors['add_tags'] ?? ''}
          onChange={(addedTags) => setDraft((now) => ({ ...now, addedTags }))}
        />
        {tagsOf(all).length > 0 && (
          <fieldset className={styles['rating']}>
            <legend>Remove tags</legend>
            {tagsOf(all).map((tag) => {
              const isRemoved = draft.removedTags.includes(tag);
              return (
                <Button
                  key={tag}
                  small
                  aria-pressed={isRemoved}
                  onClick={() =>
                    setDraft((now) => ({
                      ...now,
                      removedTags: isRemoved
                        ? now.removedTags.filter((other) => other !== tag)
                        : [...now.removedTags, tag],
                    }))
                  }
                >
                  {tag}
                </Button>
              );
            })}
          </fieldset>
        )}
        {(failure !== null || loaded.isError) && (
          <p role="alert" className={styles['error']}>
            Nothing was saved. {errorText(failure ?? loaded.error)}
          </p>
        )}
        <div className={styles['actions']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isSaving || change === null}>
            {isSaving ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
