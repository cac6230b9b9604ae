export { openRefreshToken, openSecret, sealRefreshToken, sealSecret } from './connection-secrets.ts';
export type { ConnectionTest } from './connection-test.ts';
export {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  findConnectionById,
  insertConnection,
  lockConnecting,
  lockConnection,
  lockConnectionOfAccount,
  updateConnection,
} from './connections.store.ts';
