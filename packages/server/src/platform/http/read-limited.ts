/** Returns the bytes of a response. Throws if there are more than `most`. */
export async function readLimited(response: Response, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > most) throw new Error(`its reply is longer than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
