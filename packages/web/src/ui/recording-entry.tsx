import type { ReactNode } from 'react';
import { bytesText, clockText, countText } from '../base/format.ts';
import { cueSheet, type RecordedSong, trackListText } from '../base/recorded-songs.ts';
import { Button, buttonClass } from './button.tsx';
import styles from './recording-entry.module.css';

/** A recording in a list: its length, its songs, and buttons to save and to discard it. */
export function RecordingEntry({
  name,
  title,
  fileName,
  address,
  bytes,
  songs,
  isSaved,
  isNewest,
  onSave,
  onDiscard,
  children,
}: {
  /** Name within the labels of its buttons, such as `recording 1`. */
  name: string;
  title: string;
  /** Name of the saved files, without their ending. */
  fileName: string;
  /** Address of the WAV file; empty while it is being opened. */
  address: string;
  bytes: number;
  songs: readonly RecordedSong[];
  isSaved: boolean;
  isNewest: boolean;
  onSave: () => void;
  onDiscard: () => void;
  /** Shown below, such as a player. */
  children?: ReactNode;
}) {
  return (
    <li className={styles['entry']}>
      <span className={styles['which']}>
        {title} · {bytesText(bytes)}
        <span className={styles['fate']}>{isSaved ? 'saved' : 'not saved yet'}</span>
      </span>
      <span className={styles['buttons']}>
        <a
          className={buttonClass({ small: true, look: isNewest && !isSaved ? 'primary' : 'plain' })}
          href={address === '' ? undefined : address}
          download={`${fileName}.wav`}
          aria-label={isNewest ? undefined : `Save ${name}`}
          onClick={onSave}
        >
          Save WAV
        </a>
        {songs.length > 0 && (
          <>
            <TextFile
              label="Cue"
              name={`Save cue sheet of ${name}`}
              file={`${fileName}.cue`}
              text={() => cueSheet(songs, `${fileName}.wav`)}
            />
            <TextFile
              label="Text"
              name={`Save track list of ${name}`}
              file={`${fileName}.txt`}
              text={() => trackListText(songs)}
            />
          </>
        )}
        <Button small icon="trash" aria-label={`Discard ${name}`} title="Discard" onClick={onDiscard} />
      </span>
      {songs.length > 0 && (
        <details className={styles['songs']}>
          <summary>{countText(songs.length, 'song')}</summary>
          <ol>
            {songs.map((song) => (
              <li key={`${song.track_id} ${song.startSeconds}`}>
                <span className={styles['time']}>{clockText(song.startSeconds)}</span>
                {song.artist === '' ? song.title : `${song.artist} – ${song.title}`}
              </li>
            ))}
          </ol>
        </details>
      )}
      {children}
    </li>
  );
}

/** Button that saves a small text file. */
function TextFile({
  label,
  name,
  file,
  text,
}: {
  label: string;
  name: string;
  file: string;
  text: () => string;
}) {
  return (
    <Button
      small
      aria-label={name}
      title={name}
      onClick={() => {
        const address = URL.createObjectURL(new Blob([text()], { type: 'text/plain' }));
        Object.assign(document.createElement('a'), { href: address, download: file }).click();
        // The browser has read the address when the click has returned.
        URL.revokeObjectURL(address);
      }}
    >
      {label}
    </Button>
  );
}
