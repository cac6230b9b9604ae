import { accountExport } from './features/account-export/index.ts';
import { accounts } from './features/accounts/index.ts';
import { admin } from './features/admin/index.ts';
import { analysis } from './features/analysis/index.ts';
import { catalog } from './features/catalog/index.ts';
import { crates } from './features/crates/index.ts';
import { cues } from './features/cues/index.ts';
import { decks } from './features/decks/index.ts';
import { downloads } from './features/downloads/index.ts';
import { exportFiles } from './features/exports/index.ts';
import { jobs } from './features/jobs/index.ts';
import { notes } from './features/notes/index.ts';
import { pages } from './features/pages/index.ts';
import { processing } from './features/processing/index.ts';
import { projects } from './features/projects/index.ts';
import { quotas } from './features/quotas/index.ts';
import { tracks } from './features/tracks/index.ts';
import type { Feature } from './platform/feature.ts';

/**
 * All features in the direction of data flow. A feature imports only features to its left, only through their
 * `index.ts`.
 */
export const features: readonly Feature[] = [
  quotas,
  accounts,
  catalog,
  tracks,
  crates,
  downloads,
  processing,
  analysis,
  cues,
  notes,
  decks,
  projects,
  exportFiles,
  jobs,
  admin,
  accountExport,
  pages,
];
