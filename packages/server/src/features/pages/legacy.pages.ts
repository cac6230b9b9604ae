import { uuid } from '@stem-studio/contract/ids';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';

const trackParams = z.object({ track_id: uuid });

/**
 * Mounts addresses of earlier versions: both tools are tabs of the dashboard now.
 *
 * @spec Dashboard
 */
export function mountLegacyPages(app: FastifyInstance): void {
  app.get('/dj', (_request, reply) => reply.redirect('/?tab=dj', 308));
  app.get('/daw/:track_id', (request, reply) => {
    const params = trackParams.safeParse(request.params);
    if (!params.success) throw notFound('page');
    return reply.redirect(`/?tab=daw&track_id=${params.data.track_id}`, 308);
  });
}
