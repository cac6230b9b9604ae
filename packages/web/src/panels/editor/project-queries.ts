import { listProjects } from '@stem-studio/contract/endpoints/projects';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../client/call.ts';

/** The projects of a track, the last changed first. */
export function projectsQuery(trackId: string) {
  return queryOptions({
    queryKey: ['projects', trackId],
    queryFn: async ({ signal }) => (await call(listProjects, { params: { id: trackId } }, signal)).data,
  });
}
