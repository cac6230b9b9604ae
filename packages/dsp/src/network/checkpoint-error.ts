/** Error for a checkpoint that is damaged or has another structure; the message states the violated rule. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}
