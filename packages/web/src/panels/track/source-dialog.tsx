import { chooseSource } from '@stem-studio/contract/endpoints/sources';
import type { SourceCandidate } from '@stem-studio/contract/resources/source-candidate';
import type { Track } from '@stem-studio/contract/resources/track';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { sourcesQuery } from '../../client/catalog-queries.ts';
import { isFinished } from '../../client/live-merge.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './source-dialog.module.css';
import { isOtherVersion, lengthText } from './source-text.ts';

/** Audio sources found for a track, the one in use, and the choice of another one. */
export function SourceDialog({ track, onClose }: { track: Track; onClose: () => void }) {
  const client = useQueryClient();
  const found = useQuery(sourcesQuery(track.id));
  const [selected, setSelected] = useState<string | null>(null);
  const choose = useMutation({
    mutationFn: (candidate_id: string) =>
      call(chooseSource, { params: { id: track.id }, body: { candidate_id } }),
    onSuccess: async () => {
      onClose();
      await Promise.all(
        [['track', track.id], ['sources', track.id], ['jobs']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const candidates = found.data ?? [];
  const inUse = track.audio ? candidates.find(({ chosen }) => chosen)?.candidate_id : undefined;
  const chosen = selected ?? inUse ?? candidates[0]?.candidate_id;
  const isBusy = track.download !== null && !isFinished(track.download.status);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== undefined) choose.mutate(chosen);
  };
  return (
    <Dialog title="Audio source" onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <p className={styles['hint']}>
          {track.audio
            ? 'The current audio is used until the new source is downloaded. Stems and analysis are then created again.'
            : 'The chosen source is downloaded even if its length differs.'}
          {isBusy && ' The running download will be replaced.'}
        </p>
        <fieldset className={styles['candidates']} aria-busy={found.isPending}>
          <legend className={styles['legend']}>
            {found.isPending ? 'Loading…' : `Sources for “${track.title}”, best first`}
          </legend>
          {candidates.map((candidate) => (
            <Candidate
              key={candidate.candidate_id}
              candidate={candidate}
              isInUse={candidate.candidate_id === inUse}
              isChosen={candidate.candidate_id === chosen}
              onChoose={() => setSelected(candidate.candidate_id)}
            />
          ))}
        </fieldset>
        {(found.isError || choose.isError) && (
          <p role="alert" className={styles['error']}>
            {found.isError
              ? `The sources could not be loaded. ${errorText(found.error)}`
              : `The source was not changed. ${errorText(choose.error)}`}
          </p>
        )}
        <div className={styles['actions']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            disabled={chosen === undefined || chosen === inUse || choose.isPending}
          >
            {choose.isPending ? 'Requesting…' : 'Use this source'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Candidate({
  candidate,
  isInUse,
  isChosen,
  onChoose,
}: {
  candidate: SourceCandidate;
  isInUse: boolean;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const id = useId();
  const isOther = isOtherVersion(candidate);
  return (
    <div className={styles['candidate']} data-chosen={isChosen}>
      <input
        type="radio"
        name="candidate"
        id={id}
        aria-describedby={`${id}-facts`}
        checked={isChosen}
        onChange={onChoose}
      />
      <label htmlFor={id} className={styles['title']}>
        {candidate.title}
      </label>
      {isInUse && <span className={styles['badge']}>In use</span>}
      <p id={`${id}-facts`} className={styles['facts']} data-other={isOther}>
        {candidate.channel !== '' && `${candidate.channel} · `}
        {lengthText(candidate)}
        {isOther && ' · likely another version'}
        {isInUse && <span className="visually-hidden"> · in use</span>}
      </p>
    </div>
  );
}
