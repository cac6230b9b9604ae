/** Error for files that are not networks of a model; the message states the violated rule. */
export class NetworkRefused extends Error {
  override readonly name = 'NetworkRefused';
}
