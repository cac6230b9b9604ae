export type { CloudClient, SplitOrder } from './cloud.client.ts';
export { CloudError, toDisplayText } from './cloud-error.ts';
export {
  type CloudKey,
  cloudKeyRule,
  deleteCloudKey,
  describeCloudKey,
  findCloudKey,
  findKeyOfAccount,
  findKeySource,
  saveCloudKey,
  testCloudKey,
} from './cloud-key.service.ts';
export type { CloudTaskReply, CloudTrack } from './cloud-replies.ts';
export { fetchStem } from './fetch-stem.ts';
