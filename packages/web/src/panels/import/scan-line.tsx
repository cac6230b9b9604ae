import { startCatalogScan } from '@stem-studio/contract/endpoints/catalog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../client/call.ts';
import { catalogScanQuery } from '../../client/catalog-queries.ts';
import { mergeScan } from '../../client/merge-events.ts';
import { Button } from '../../ui/button.tsx';
import styles from './catalog-dialog.module.css';
import { scanText } from './scan-text.ts';

/** Progress of the scan of the catalog folder, and a button to start one; nothing without a folder. */
export function ScanLine() {
  const client = useQueryClient();
  const { data: scan } = useQuery(catalogScanQuery);
  const start = useMutation({
    mutationFn: () => call(startCatalogScan),
    onSuccess: ({ data }) => data && mergeScan(client, data),
  });
  if (!scan) return null;
  const isRunning = scan.status === 'running';
  return (
    <p className={styles['scan']}>
      <span role="status">{scanText(scan)}</span>
      <Button small disabled={isRunning || start.isPending} onClick={() => start.mutate()}>
        Scan folder
      </Button>
    </p>
  );
}
