import { chooseSource } from '@stem-studio/contract/endpoints/sources';
import type { SourceCandidate } from '@stem-studio/contract/resources/source-candidate';
import type { Track } from '@stem-studio/contract/resources/track';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { isFinished } from '../../client/live-merge.ts';
import { sourcesQuery } from '../../client/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './source-dialog.module.css';
import { isOtherVersion, lengthText } from './source-text.ts';

/** Where a song's sound comes from: what the search found, which of it is in use, and taking another one. */
export function SourceDialog({ track, onClose }: { track: Track; onClose: () => void }) {
  const client = useQueryClient();
  const found = useQuery(sourcesQuery(track.id));
  const [wished, setWished] = useState<string | null>(null);
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
  const chosen = wished ?? inUse ?? candidates[0]?.candidate_id;
  const isBusy = track.download !== null && !isFinished(track.download.status);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== undefined) choose.mutate(chosen);
  };
  return (
    <Dialog title="Where the sound comes from" onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <p className={styles['words']}>
          {track.audio
            ? 'Another choice is downloaded first: what you hear now stays until that is whole. Stems and analysis are made anew then.'
            : 'The one you choose is downloaded, however long it is.'}
          {isBusy && ' A download is under way; your choice takes its place.'}
        </p>
        <fieldset className={styles['candidates']} aria-busy={found.isPending}>
          <legend className={styles['legend']}>
            {found.isPending ? 'Looking up what was found…' : `Found for “${track.title}”, the best first`}
          </legend>
          {candidates.map((candidate) => (
            <Candidate
              key={candidate.candidate_id}
              candidate={candidate}
              isInUse={candidate.candidate_id === inUse}
              isChosen={candidate.candidate_id === chosen}
              onChoose={() => setWished(candidate.candidate_id)}
            />
          ))}
        </fieldset>
        {(found.isError || choose.isError) && (
          <p role="alert" className={styles['error']}>
            {found.isError
              ? `What was found could not be loaded. ${errorText(found.error)}`
              : `The source was not changed; what was there stays. ${errorText(choose.error)}`}
          </p>
        )}
        <div className={styles['actions']}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            disabled={chosen === undefined || chosen === inUse || choose.isPending}
          >
            {choose.isPending ? 'Asking for it…' : 'Use this source'}
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
        aria-describedby={`${id}-words`}
        checked={isChosen}
        onChange={onChoose}
      />
      <label htmlFor={id} className={styles['title']}>
        {candidate.title}
      </label>
      {isInUse && <span className={styles['badge']}>In use</span>}
      <p id={`${id}-words`} className={styles['facts']} data-other={isOther}>
        {candidate.channel !== '' && `${candidate.channel} · `}
        {lengthText(candidate)}
        {isOther && ' · likely another version'}
        {isInUse && <span className="visually-hidden"> · in use</span>}
      </p>
    </div>
  );
}
