// What the commands use without the service: none of these modules loads the database or the HTTP server.
export { NetworkBusyError, partialBytes } from './catalogue/downloads-folder.ts';
export { type InstallProgress, installNetwork } from './catalogue/install-network.ts';
export {
  type CatalogueEntry,
  CatalogueError,
  downloadSize,
  findCatalogueEntry,
  readCatalogue,
} from './catalogue/network-catalogue.ts';
export { installedBytes, listServedModels, removeNetwork } from './catalogue/remove-network.ts';
export { runSeparator } from './engines/run-separator.ts';
export { addModel, checkModel, removeModel } from './networks/add-model.ts';
export { chooseBackend, describeModel, findNetworkRuntime } from './networks/choose-backend.ts';
export { findInstalledModel } from './networks/installed-models.ts';
export { NetworkRefused } from './networks/network-refused.ts';
export { previewSeconds } from './processing-args.ts';
