import { byteText } from '@stem-studio/contract/byte-text';
import type { Network } from '@stem-studio/contract/resources/network';
import { isFinished } from '../../client/live-merge.ts';
import { isCancelled, stageText } from '../../ui/job-text.ts';

/** What a network is doing: a job that runs or waits, an installation, an unfinished download, or nothing. */
export type NetworkState = 'working' | 'installed' | 'unfinished' | 'available';

/** Returns the state that the row of a network shows. */
export function networkState({ job, installed, partial_bytes }: Network): NetworkState {
  if (job && !isFinished(job.status)) return 'working';
  if (installed.length > 0) return 'installed';
  return partial_bytes > 0 ? 'unfinished' : 'available';
}

/** Returns the size of a download, such as `316 MB` or `up to 172 MB`. */
export function sizeText({ download_bytes, is_exact }: Network): string {
  return `${is_exact ? '' : 'up to '}${byteText(download_bytes)}`;
}

/** Returns the line about a network's state. */
export function stateText(network: Network): string {
  const { job, installed, installed_bytes, partial_bytes } = network;
  switch (networkState(network)) {
    case 'working':
      return job ? stageText(job) : '';
    case 'installed':
      return `Installed for ${installed.map(({ model }) => model).join(', ')}, ${byteText(installed_bytes)}`;
    case 'unfinished':
      return `${byteText(partial_bytes)} downloaded. ${failureText(network)}`.trim();
    case 'available':
      return failureText(network);
  }
}

/** Returns why the last download failed; empty if it did not, or was cancelled. */
export function failureText({ job }: Network): string {
  return job && job.status === 'failed' && !isCancelled(job) ? stageText(job) : '';
}
