import type { RecordingNote } from '@stem-studio/audio/recording/recording-messages';

/** A song of a recorded mix. */
export interface RecordedSong {
  readonly track_id: string;
  readonly title: string;
  readonly artist: string;
  /** From its first to its last moment on air, in seconds of the recording. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Longest interruption of a song that is listed once, in seconds: a cut, a break or a move to the other deck. */
const BRIDGED_SECONDS = 30;
/** Least time on air of a listed song, in seconds; a shorter one was only tried. */
const LEAST_SECONDS = 8;

interface Span extends RecordedSong {
  onAirSeconds: number;
}

/**
 * Returns the songs of a recording in the order in which they came on air.
 *
 * A song is on air from a note that names it to the next note of its deck. The same song is listed once if it was
 * interrupted for at most 30 s, and a song that was on air for less than 8 s in total is not listed.
 *
 * @param endSeconds length of the recording
 * @spec Recording
 */
export function recordedSongs(notes: readonly RecordingNote[], endSeconds: number): RecordedSong[] {
  const spans: Span[] = [];
  for (const { song, startSeconds, endSeconds: end } of intervalsOf(notes, endSeconds)) {
    const onAirSeconds = end - startSeconds;
    const earlier = spans.findLast(({ track_id }) => track_id === song.track_id);
    if (earlier && startSeconds - earlier.endSeconds <= BRIDGED_SECONDS) {
      const merged = Math.max(earlier.endSeconds, end);
      const at = spans.indexOf(earlier);
      spans[at] = { ...earlier, endSeconds: merged, onAirSeconds: earlier.onAirSeconds + onAirSeconds };
    } else spans.push({ ...song, startSeconds, endSeconds: end, onAirSeconds });
  }
  return spans
    .filter(({ onAirSeconds }) => onAirSeconds >= LEAST_SECONDS)
    .map(({ track_id, title, artist, startSeconds, endSeconds: end }) => ({
      track_id,
      title,
      artist,
      startSeconds,
      endSeconds: end,
    }));
}

/** Returns when each deck had which song on air, in the order of their starts. */
function intervalsOf(unordered: readonly RecordingNote[], endSeconds: number) {
  // A note waits for the name of its song, so that a later one may be stored before it.
  const notes = unordered.toSorted((left, right) => left.seconds - right.seconds);
  return notes
    .flatMap(({ song, deck, seconds }, index) => {
      if (!song) return [];
      const next = notes.slice(index + 1).find((note) => note.deck === deck);
      return [{ song, startSeconds: seconds, endSeconds: Math.max(seconds, next?.seconds ?? endSeconds) }];
    })
    .sort((one, other) => one.startSeconds - other.startSeconds);
}

/** Formats seconds as `h:mm:ss`. */
function hoursText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Returns the track list as text, one line per song: `0:03:20  Artist – Title`. */
export function trackListText(songs: readonly RecordedSong[]): string {
  return songs.map((song) => `${hoursText(song.startSeconds)}  ${nameOf(song)}\n`).join('');
}

function nameOf({ artist, title }: RecordedSong): string {
  return artist === '' ? title : `${artist} – ${title}`;
}

/** Most tracks of a cue sheet. */
const CUE_TRACKS = 99;

/**
 * Returns the track list as a cue sheet for a WAV file. Its times have 75 frames a second; the format has 99 tracks at
 * most, so later ones are left out.
 *
 * @see https://wiki.hydrogenaud.io/index.php?title=Cue_sheet
 */
export function cueSheet(songs: readonly RecordedSong[], fileName: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const quoted = (text: string) => `"${text.replace(/["\r\n]/g, "'")}"`;
  const timeOf = (seconds: number) => {
    const frames = Math.floor(Math.max(0, seconds) * 75);
    return `${two(Math.floor(frames / 4500))}:${two(Math.floor(frames / 75) % 60)}:${two(frames % 75)}`;
  };
  const tracks = songs.slice(0, CUE_TRACKS).map(
    (song, index) =>
      `  TRACK ${two(index + 1)} AUDIO\n    TITLE ${quoted(song.title)}\n` +
      (song.artist === '' ? '' : `    PERFORMER ${quoted(song.artist)}\n`) +
      // The first track of a sheet begins with its file.
      `    INDEX 01 ${timeOf(index === 0 ? 0 : song.startSeconds)}\n`,
  );
  return `FILE ${quoted(fileName)} WAVE\n${tracks.join('')}`;
}
