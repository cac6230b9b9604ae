import type { RelatedTrack } from '@stem-studio/contract/resources/related-track';
import { compatibility } from '@stem-studio/dsp/mix/compatibility';
import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findTracks } from './all-tracks.store.ts';
import { listFittingTracks } from './track-fit.store.ts';
import { getReadableTrack, presentTracks } from './tracks.service.ts';

/** Returns the tracks of the same library that mix well with a readable track, best first, at most `limit`. */
export async function showRelatedTracks(
  context: Context,
  viewer: Viewer,
  id: string,
  limit: number,
): Promise<RelatedTrack[]> {
  const track = await getReadableTrack(context.db, viewer, id);
  const ids = await listFittingTracks(context.db, track, limit);
  const shown = await presentTracks(context.db, await findTracks(context.db, ids));
  const byId = new Map(shown.map((one) => [one.id, one]));
  return ids.flatMap((fittingId) => {
    const fitting = byId.get(fittingId);
    if (!fitting) return [];
    const { score, key, tempo, reasons } = compatibility(track, fitting);
    return [
      {
        track: fitting,
        score,
        key_relation: key,
        tempo_percent: tempo?.percent ?? null,
        tempo_factor: tempo?.factor ?? null,
        reasons: [...reasons],
      },
    ];
  });
}
