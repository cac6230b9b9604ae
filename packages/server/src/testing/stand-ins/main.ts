// `npm run dev -- --stand-ins`: starts the stand-ins for the web catalog and the cloud service, installs the stand-in
// download tool, and prints the settings that make the service use them as one line of JSON. Runs until it is stopped.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { standInId, standInPlaylists } from './catalog-data.ts';
import { startStandInCatalog } from './catalog-server.ts';
import { standInKeys } from './cloud-data.ts';
import { startStandInCloud } from './cloud-server.ts';
import { installDownloadTool } from './install-download-tool.ts';

const catalog = await startStandInCatalog();
const cloud = await startStandInCloud();
// Slow enough to be observed and cancelled.
cloud.behaviour.stemMs = 1500;
cloud.behaviour.checksPerMinute = 20;
// The parent process can set the speed of the cloud service by a line on standard input, so that tests do not wait.
createInterface({ input: process.stdin }).on('line', (line) => {
  const [, stemMs] = /^stem_ms (\d{1,9})$/.exec(line) ?? [];
  if (stemMs === undefined) process.stderr.write(`a line must be "stem_ms N" (got "${line}")\n`);
  else cloud.behaviour.stemMs = Number(stemMs);
});
const folder = await mkdtemp(join(tmpdir(), 'stem-studio-stand-ins-'));
const settings = {
  CATALOG_CLIENT_ID: catalog.clientId,
  CATALOG_CLIENT_SECRET: catalog.clientSecret,
  CATALOG_API_URL: catalog.apiUrl,
  CATALOG_TOKEN_URL: catalog.tokenUrl,
  CATALOG_AUTHORIZE_URL: catalog.authorizeUrl,
  CLOUDSEP_URL: cloud.url,
  DOWNLOAD_TOOL: await installDownloadTool(folder),
  // Data of synthetic songs is kept apart from the library.
  DATA_DIR: './data/stand-ins',
  // Open registration, because this studio contains no real data.
  REGISTRATION: 'open',
};
const end = async () => {
  await catalog.close();
  await cloud.close();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

const links = [
  ['a song', `https://open.spotify.com/track/${standInId('track', 7)}`],
  ['an album of 60 songs', `https://open.spotify.com/album/${standInId('album', 0)}`],
  ...Object.entries(standInPlaylists).map(([name, number]) => [
    `playlist "${name}"`,
    `https://open.spotify.com/playlist/${standInId('playlist', number)}`,
  ]),
];
process.stderr.write(`A stand-in for the web catalog answers at ${catalog.origin}. Links to try:\n`);
for (const [name = '', link = ''] of links) process.stderr.write(`  ${name.padEnd(24)} ${link}\n`);
process.stderr.write(
  `A stand-in for the cloud service answers at ${cloud.url}. Keys for Settings → Cloud separation:\n`,
);
for (const [name, key] of Object.entries(standInKeys)) process.stderr.write(`  ${name.padEnd(24)} ${key}\n`);
process.stdout.write(`${JSON.stringify(settings)}\n`);
