/** Encodes a song of any number of audio channels as a 16-bit AIFF at 44.1 kHz. */
export function aiffFile(song: readonly Float32Array[]): Uint8Array {
  const frames = song[0]?.length ?? 0;
  const dataBytes = frames * song.length * 2;
  const file = new Uint8Array(54 + dataBytes);
  const view = new DataView(file.buffer);
  const letters = (at: number, text: string) => {
    for (let index = 0; index < text.length; index++) file[at + index] = text.charCodeAt(index);
  };
  letters(0, 'FORM');
  view.setUint32(4, file.length - 8);
  letters(8, 'AIFFCOMM');
  view.setUint32(16, 18);
  view.setUint16(20, song.length);
  view.setUint32(22, frames);
  view.setUint16(26, 16);
  // 44100 as an 80-bit float.
  view.setUint32(28, 0x400e_ac44);
  letters(38, 'SSND');
  view.setUint32(42, dataBytes + 8);
  for (let frame = 0; frame < frames; frame++) {
    for (const [index, samples] of song.entries()) {
      view.setInt16(54 + (frame * song.length + index) * 2, Math.round((samples[frame] ?? 0) * 32_767));
    }
  }
  return file;
}
