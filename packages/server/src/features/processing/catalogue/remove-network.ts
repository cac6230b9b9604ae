import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { separationModelNames } from '@stem-studio/contract/separation-models';
import type { InstalledModel } from '@stem-studio/contract/separation-weights';
import type { Config } from '../../../platform/config.ts';
import { removeModel } from '../networks/add-model.ts';
import { findInstalledModel } from '../networks/installed-models.ts';
import { partialBytes, withDownloadLock } from './downloads-folder.ts';
import { deleteDownload } from './install-network.ts';
import type { CatalogueEntry } from './network-catalogue.ts';

/** A model that a network of the catalogue serves. */
export interface ServedModel {
  readonly model: SeparationModelName;
  readonly installed: InstalledModel;
}

/** Returns the models that a network of the catalogue serves now. */
export async function listServedModels(
  { modelsDir }: Pick<Config, 'modelsDir'>,
  name: string,
): Promise<ServedModel[]> {
  const found = await Promise.all(
    separationModelNames.map(async (model) => ({ model, found: await findInstalledModel(modelsDir, model) })),
  );
  return found.flatMap(({ model, found: { kind, ...rest } }) =>
    kind === 'installed' && 'installed' in rest && rest.installed.network?.name === name
      ? [{ model, installed: rest.installed }]
      : [],
  );
}

/** Returns the size of the installed files in bytes. */
export function installedBytes(served: readonly ServedModel[]): number {
  return served.flatMap(({ installed }) => installed.files).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Removes a network from all models that it serves, and what has been downloaded of it. Returns the freed bytes, 0 if
 * there was nothing.
 *
 * @throws NetworkBusyError while it is downloaded
 */
export async function removeNetwork(config: Config, entry: CatalogueEntry): Promise<number> {
  return withDownloadLock(config, entry.name, async () => {
    const served = await listServedModels(config, entry.name);
    const bytes = installedBytes(served) + (await partialBytes(config, entry));
    for (const { model } of served) await removeModel(config.modelsDir, model);
    await deleteDownload(config, entry.name);
    return bytes;
  });
}
