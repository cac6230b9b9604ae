/** Returns the cosine distance of two chroma vectors, 0 (equal) to 1; 0 if one is silent or unknown. */
export function chromaDistance(before: Float32Array | undefined, after: Float32Array | undefined): number {
  if (!before || !after) return 0;
  let both = 0;
  let left = 0;
  let right = 0;
  for (let pitch = 0; pitch < 12; pitch++) {
    both += (before[pitch] ?? 0) * (after[pitch] ?? 0);
    left += (before[pitch] ?? 0) ** 2;
    right += (after[pitch] ?? 0) ** 2;
  }
  return left > 0 && right > 0 ? 1 - both / Math.sqrt(left * right) : 0;
}
