import { Scope } from '@stem-studio/audio/base/scope';
import { exportStems } from '@stem-studio/contract/endpoints/exports';
import type { Track } from '@stem-studio/contract/resources/track';
import { countText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { addressOf } from '../../client/call.ts';
import { fileAddress } from '../../client/peaks-query.ts';
import { startDownload } from '../../client/start-download.ts';
import { loadTracks } from '../../state/batch-actions.ts';
import type { SelectedTrack } from '../../state/selection.state.ts';
import { toast, toastError } from '../../state/toasts.state.ts';

/** Most files of one download: browsers ask once for permission, then save one file after the other. */
const MOST_FILES = 50;
/** Pause between two downloads in milliseconds; browsers ignore downloads that begin at the same time. */
const PAUSE_MS = 300;
const NOTICE_MS = 6000;

/** Returns the address of the audio of a track; undefined without audio. */
export function originalAddress({ audio }: Pick<Track, 'audio'>): string | undefined {
  return audio ? fileAddress(audio.file_path) : undefined;
}

/** Returns the name under which the audio of a track is saved: `Artist - Title.mp3`. */
export function fileNameOf({ artist, title, audio }: Pick<Track, 'artist' | 'title' | 'audio'>): string {
  const extension = /\.[a-z0-9]{1,5}$/i.exec(audio?.file_path ?? '')?.[0] ?? '';
  const name = artist === '' ? title : `${artist} - ${title}`;
  return name.replace(/[\\/:*?"<>|]|\p{Cc}/gu, '_') + extension;
}

/** Returns the address of a ZIP with the stems of a track's default separation. */
export function stemsAddress({ id }: Pick<Track, 'id'>): string {
  return addressOf(exportStems, { track_id: id });
}

/** Downloads the audio of tracks, or a ZIP of stems of each, one after the other. Tracks without them are left out. */
export async function downloadFiles(
  chosen: readonly SelectedTrack[],
  kind: 'audio' | 'stems',
): Promise<void> {
  if (chosen.length > MOST_FILES) {
    toastError('Too many files', `At most ${MOST_FILES} tracks can be downloaded at a time.`);
    return;
  }
  try {
    const tracks = await loadTracks(chosen);
    const files = tracks.flatMap((track) => {
      const original = originalAddress(track);
      if (kind === 'stems')
        return track.stems_job_id === null ? [] : [{ href: stemsAddress(track), name: '' }];
      return original === undefined ? [] : [{ href: original, name: fileNameOf(track) }];
    });
    const left = chosen.length - files.length;
    const noun = kind === 'stems' ? 'stems' : 'audio';
    toast({
      title: `Downloading ${countText(files.length, 'file')}`,
      description: left > 0 ? `${countText(left, 'track')} without ${noun} left out.` : '',
      isError: false,
      timeoutMs: NOTICE_MS,
      action: null,
    });
    const scope = new Scope();
    for (const { href, name } of files) {
      startDownload(href, name);
      await new Promise<void>((resolve) => scope.after(PAUSE_MS, resolve));
    }
  } catch (error) {
    toastError('The files were not downloaded', errorText(error));
  }
}
