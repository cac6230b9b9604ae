/** Files that are not the networks of a model; the message says which rule they break. */
export class NetworkRefused extends Error {
  override readonly name = 'NetworkRefused';
}
