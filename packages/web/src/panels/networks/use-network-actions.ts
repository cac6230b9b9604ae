import { byteText } from '@stem-studio/contract/byte-text';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { downloadNetwork, removeNetwork } from '@stem-studio/contract/endpoints/networks';
import type { Network } from '@stem-studio/contract/resources/network';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { toast, toastError } from '../../state/toasts.state.ts';

const TOAST_MS = 6000;

/** Actions on the networks of the catalogue. Failures are shown as a toast. */
export interface NetworkActions {
  /** Downloads a network after its terms have been accepted, where they must be. */
  download(network: Network, model: SeparationModelName): Promise<void>;
  /** Continues the download of a failed or cancelled job, whose terms were accepted before. */
  resume(jobId: string): Promise<void>;
  /** Cancels a download; what has arrived stays. */
  cancel(jobId: string): Promise<void>;
  /** Removes a network, or what has been downloaded of it. */
  remove(network: Network): Promise<void>;
}

/** Returns the actions, bound to the query cache. */
export function useNetworkActions(): NetworkActions {
  const client = useQueryClient();
  return useMemo(() => {
    const perform = async (failure: string, action: () => Promise<unknown>): Promise<void> => {
      try {
        await action();
      } catch (error) {
        toastError(failure, errorText(error));
      }
      for (const key of ['networks', 'models', 'jobs']) void client.invalidateQueries({ queryKey: [key] });
    };
    return {
      download: ({ name, title, licence }, model) =>
        perform(`${title} is not downloaded`, () =>
          call(downloadNetwork, { params: { name }, body: { model, accept_licence: licence.must_accept } }),
        ),
      resume: (id) => perform('The download was not resumed', () => call(retryJob, { params: { id } })),
      cancel: (id) => perform('The download was not cancelled', () => call(cancelJob, { params: { id } })),
      remove: ({ name, title }) =>
        perform(`${title} was not removed`, async () => {
          const { data } = await call(removeNetwork, { params: { name } });
          toast({
            title: `${title} removed`,
            description: `${byteText(data.freed_bytes)} freed.`,
            isError: false,
            timeoutMs: TOAST_MS,
            action: null,
          });
        }),
    };
  }, [client]);
}
