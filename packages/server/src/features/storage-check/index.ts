export { checkStorage, type StorageReport } from './check-storage.ts';
