import { z } from 'zod';
import { channel } from '../channel.ts';
import { catalogScan } from '../resources/catalog-scan.ts';

/** The catalog folder, which all users share. */
export const catalogChannel = channel({
  topic: 'catalog:folder',
  summary: 'The scan of the catalog folder',
  socket: '/socket/websocket',
  scope: 'catalog:read',
  params: z.object({}),
  pushes: {
    /** About once a second while a scan has files to read, and when it ends. */
    scan_progress: z.object({ scan: catalogScan }),
  },
});
