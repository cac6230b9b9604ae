import type { Job } from '@stem-studio/contract/resources/job';
import { useQuery } from '@tanstack/react-query';
import { importQuery } from '../../client/catalog-queries.ts';
import { importOutcomeText } from '../../ui/import-text.ts';
import { Moment } from './job-row.tsx';
import styles from './jobs-panel.module.css';

/** The finished jobs of an import in one line: its name and result. */
export function ImportEntry({ importId, jobs }: { importId: string; jobs: readonly Job[] }) {
  const found = useQuery(importQuery(importId));
  const title = found.data?.title ?? '…';
  const finishedAt = jobs[0]?.finished_at ?? null;
  return (
    <li className={styles['job']}>
      <span className={styles['work']}>Import</span>
      <span className={styles['list']} title={title}>
        {title}
      </span>
      <span className={styles['stage']}>
        {found.data ? importOutcomeText(found.data) : `${jobs.length} songs`}
      </span>
      <span className={styles['progress']}>
        {finishedAt !== null && <Moment text="" time={finishedAt} />}
      </span>
      <span className={styles['actions']} />
    </li>
  );
}
