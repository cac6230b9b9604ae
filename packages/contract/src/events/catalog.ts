import { z } from 'zod';
import { channel } from '../channel.ts';
import { catalogScan } from '../resources/catalog-scan.ts';

/** Topic of the catalog folder, which all users share. */
export const catalogChannel = channel({
  topic: 'catalog:folder',
  summary: 'The scan of the catalog folder',
  socket: '/socket/websocket',
  scope: 'catalog:read',
  params: z.object({}),
  pushes: {
    /** About once per second while a scan reads files, and when it ends. */
    scan_progress: z.object({ scan: catalogScan }),
  },
});
