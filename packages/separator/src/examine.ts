/**
 * Inspects a network, or the runtime for networks, and exits. Reads one line of JSON from standard input and writes one
 * to standard output.
 */
import { type NetworkAnswer, networkQuestion } from '@stem-studio/contract/separation-weights';
import { loadNetworkRuntime } from './backends/network-runtime.ts';
import { openNetworks } from './backends/network-session.ts';
import { listExternalFiles } from './external-files.ts';
import { createMessageWriter, readLines } from './protocol.ts';
import { messageOf } from './separation-error.ts';

const write = createMessageWriter();

async function answer(line: string): Promise<NetworkAnswer> {
  const question = networkQuestion.parse(JSON.parse(line));
  if (question.about === 'runtime') {
    const runtime = await loadNetworkRuntime();
    const devices = runtime.listSupportedBackends().map(({ name }) => name);
    return { about: 'runtime', version: runtime.env.versions.node ?? '', devices };
  }
  const beside = await listExternalFiles(question.path);
  const runtime = await loadNetworkRuntime();
  const open = await openNetworks(runtime, { files: [question.path], device: 'cpu', keepsMemory: false });
  const [shape] = open.shapes;
  for (const session of open.sessions) await session.release();
  if (!shape) throw new Error('no network was opened');
  return { about: 'network', contract: shape.contract, stems: shape.stems, beside };
}

try {
  const line = await readLines(process.stdin, () => process.exit(1)).next();
  write(await answer(line ?? ''));
  process.exit(0);
} catch (error) {
  write({ about: 'error', message: messageOf(error) });
  process.exit(1);
}
