import { Scope } from '@stem-studio/audio/base/scope';
import { topicOf } from '@stem-studio/contract/channel';
import { projectChannel } from '@stem-studio/contract/events/projects';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Socket } from 'phoenix';
import { useEffect, useState } from 'react';
import { pageMeta } from '../../client/page-meta.ts';
import { onServiceBack } from '../../client/service-reach.ts';
import { ProjectEditor } from './project-editor.ts';
import { projectsQuery } from './project-queries.ts';
import { keptChanges, projectService } from './project-service.ts';

/** A project that is open, opening (null, null) or could not be opened. */
export interface OpenEditor {
  readonly editor: ProjectEditor | null;
  readonly error: unknown;
}

/** Opens a project for editing and follows the changes of other windows. */
export function useProjectEditor(trackId: string, projectId: string | null): OpenEditor {
  const client = useQueryClient();
  const [open, setOpen] = useState<OpenEditor & { id: string | null }>({
    editor: null,
    error: null,
    id: null,
  });
  useEffect(() => {
    const scope = new Scope();
    if (projectId === null) return () => scope.dispose();
    const service = projectService(projectId);
    service.open().then(
      (opened) => {
        if (scope.isDisposed) return;
        const editor = new ProjectEditor(opened, service, keptChanges(projectId), scope);
        onServiceBack(scope, () => editor.retry());
        setOpen({ editor, error: null, id: projectId });
      },
      (error: unknown) => !scope.isDisposed && setOpen({ editor: null, error, id: projectId }),
    );
    return () => scope.dispose();
  }, [projectId]);
  const editor = open.id === projectId ? open.editor : null;
  useEffect(() => {
    const scope = new Scope();
    followProjects(scope, client, trackId, editor, projectId);
    return () => scope.dispose();
  }, [client, trackId, projectId, editor]);
  return open.id === projectId ? open : { editor: null, error: null };
}

/** Joins the topic of a track's projects until `scope` ends. */
function followProjects(
  scope: Scope,
  client: QueryClient,
  trackId: string,
  editor: ProjectEditor | null,
  projectId: string | null,
): void {
  const socket = new Socket('/live', {
    // Reads the token of the login that is current when the socket connects.
    params: () => ({ _csrf_token: pageMeta('csrf-token') }),
    heartbeatIntervalMs: 25_000,
  });
  const channel = socket.channel(topicOf(projectChannel, { track_id: trackId }));
  const { pushes } = projectChannel;
  channel.on('operations_added', (payload: unknown) => {
    const event = pushes.operations_added.safeParse(payload);
    if (event.success && event.data.project_id === projectId) editor?.takeAdded(event.data);
  });
  channel.on('position_changed', (payload: unknown) => {
    const event = pushes.position_changed.safeParse(payload);
    if (event.success && event.data.project_id === projectId) editor?.takePosition(event.data);
  });
  const { queryKey } = projectsQuery(trackId);
  for (const name of ['project_created', 'project_updated', 'project_deleted'] as const) {
    channel.on(name, () => void client.invalidateQueries({ queryKey }));
  }
  channel.join().receive('ok', () => {
    void editor?.refetch();
    void client.invalidateQueries({ queryKey });
  });
  socket.connect();
  scope.own(() => {
    channel.leave();
    socket.disconnect();
  });
}
