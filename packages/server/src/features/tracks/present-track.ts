import type { JobState } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import type { JobType } from '@stem-studio/contract/states';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import type { AudioSourceRow } from './audio-sources.store.ts';
import type { TrackRow } from './tracks.store.ts';

/** Columns of a track that are shown. */
export interface PresentableTrack
  extends Pick<
    TrackRow,
    | 'id'
    | 'user_id'
    | 'source'
    | 'catalog_id'
    | 'title'
    | 'artist'
    | 'album'
    | 'album_art_url'
    | 'catalog_url'
    | 'genre'
    | 'isrc'
    | 'explicit'
    | 'duration_ms'
    | 'bpm'
    | 'key'
    | 'tags'
    | 'year'
    | 'rating'
    | 'comment'
    | 'play_count'
    | 'last_played_at'
    | 'loudness_lufs'
    | 'separation_model'
    | 'stems_job_id'
    | 'created_at'
    | 'updated_at'
  > {
  readonly audio:
    | (Pick<
        AudioSourceRow,
        | 'codec'
        | 'bitrate'
        | 'sample_rate'
        | 'channels'
        | 'bytes'
        | 'received_path'
        | 'peaks_path'
        | 'warnings'
      > & { readonly rendition_path: string | null })
    | null;
}

/** State of the newest job of each kind of one track; a kind without jobs is absent. */
export type NewestJobs = Partial<Record<JobType, JobState>>;

/** Returns a track in its wire format, which contains only the columns named here. */
export function presentTrack(row: PresentableTrack, jobs: NewestJobs): Track {
  return {
    stems_job_id: row.stems_job_id,
    id: row.id,
    user_id: row.user_id,
    source: row.source,
    catalog_id: row.catalog_id,
    title: row.title,
    artist: row.artist,
    album: row.album,
    album_art_url: row.album_art_url,
    catalog_url: row.catalog_url,
    genre: row.genre,
    isrc: row.isrc,
    explicit: row.explicit,
    duration: Math.round(row.duration_ms / 1000),
    duration_ms: row.duration_ms,
    bpm: row.bpm,
    key: row.key,
    camelot: camelotOf(row.key),
    tags: row.tags,
    year: row.year,
    rating: row.rating,
    comment: row.comment,
    play_count: row.play_count,
    last_played_at: row.last_played_at?.toISOString() ?? null,
    loudness_lufs: row.loudness_lufs,
    separation_model: row.separation_model,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    download: jobs.download ?? null,
    separation: jobs.processing ?? null,
    analysis: jobs.analysis ?? null,
    audio: row.audio && {
      codec: row.audio.codec,
      bitrate: row.audio.bitrate,
      sample_rate: row.audio.sample_rate,
      channels: row.audio.channels,
      bytes: row.audio.bytes,
      file_path: row.audio.rendition_path ?? row.audio.received_path,
      peaks_path: row.audio.peaks_path,
      warnings: row.audio.warnings,
    },
  };
}
