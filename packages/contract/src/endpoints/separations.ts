import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { separation } from '../resources/separation.ts';

/** Lists the separations that a track keeps, newest first. Previews are included. */
export const listSeparations = endpoint({
  method: 'GET',
  path: '/api/processing/separations/:track_id',
  summary: 'The separations of a track, newest first',
  auth: 'api',
  scope: 'processing:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: z.object({ track_id: uuid }),
  reply: dataOf(z.array(separation)),
});

/**
 * Makes a separation the default of its track: the one that decks, exports and the track page use where no other is
 * named. A preview is refused with 422.
 */
export const chooseSeparation = endpoint({
  method: 'PUT',
  path: '/api/processing/job/:id/default',
  summary: 'Use a separation by default',
  auth: 'api',
  scope: 'processing:write',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(separation),
});
