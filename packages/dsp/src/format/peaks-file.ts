import type { PeaksZoom, WaveformPeaks } from '../signal/peaks.ts';

/** Magic number `SSPK`, little-endian. */
const MAGIC = 0x4b505353;
const VERSION = 1;
const HEADER_BYTES = 24;
const ZOOM_ENTRY_BYTES = 8;
const BYTES_PER_PEAK = 6;
const MAX_ZOOMS = 16;
const MAX_SAMPLES_PER_PEAK = 1 << 20;

/**
 * Encodes a waveform as a peaks file, little-endian throughout.
 *
 * `magic u32 · version u16 · zooms u16 · sample_rate f64 · frames f64`, then for each zoom `samples_per_peak u32 ·
 * peaks u32`, then for each zoom the six rows min, max (signed bytes), rms, low, mid, high (unsigned bytes).
 */
export function writePeaks(waveform: WaveformPeaks): Uint8Array {
  const { sampleRate, frames, zooms } = waveform;
  const tableEnd = HEADER_BYTES + zooms.length * ZOOM_ENTRY_BYTES;
  const peaks = zooms.reduce((sum, zoom) => sum + zoom.min.length, 0);
  const bytes = new Uint8Array(tableEnd + peaks * BYTES_PER_PEAK);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, zooms.length, true);
  view.setFloat64(8, sampleRate, true);
  view.setFloat64(16, frames, true);
  let at = tableEnd;
  for (const [index, zoom] of zooms.entries()) {
    const entry = HEADER_BYTES + index * ZOOM_ENTRY_BYTES;
    view.setUint32(entry, zoom.samplesPerPeak, true);
    view.setUint32(entry + 4, zoom.min.length, true);
    for (const row of [zoom.min, zoom.max, zoom.rms, zoom.low, zoom.mid, zoom.high]) {
      bytes.set(new Uint8Array(row.buffer, row.byteOffset, row.length), at);
      at += row.length;
    }
  }
  return bytes;
}

/**
 * Reads a peaks file; the rows are views on `bytes`, not copies.
 *
 * @throws RangeError if the bytes are no peaks file of this version, or its counts are inconsistent
 */
export function readPeaks(bytes: Uint8Array): WaveformPeaks {
  if (bytes.length < HEADER_BYTES) throw invalid('hold 24 bytes of header', `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC) throw invalid('begin with SSPK', 'other bytes');
  const version = view.getUint16(4, true);
  if (version !== VERSION) throw invalid(`have version ${VERSION}`, String(version));
  const zoomCount = view.getUint16(6, true);
  const sampleRate = view.getFloat64(8, true);
  const frames = view.getFloat64(16, true);
  if (!(sampleRate > 0 && sampleRate < 1e7))
    throw invalid('have a sample rate above 0 Hz', String(sampleRate));
  if (!(Number.isSafeInteger(frames) && frames >= 0))
    throw invalid('count whole sample frames', String(frames));
  if (zoomCount > MAX_ZOOMS) throw invalid(`have at most ${MAX_ZOOMS} zooms`, String(zoomCount));
  const tableEnd = HEADER_BYTES + zoomCount * ZOOM_ENTRY_BYTES;
  if (bytes.length < tableEnd) throw invalid('hold its zoom table', `${bytes.length} bytes`);

  const zooms: PeaksZoom[] = [];
  let at = tableEnd;
  for (let index = 0; index < zoomCount; index++) {
    const entry = HEADER_BYTES + index * ZOOM_ENTRY_BYTES;
    const samplesPerPeak = view.getUint32(entry, true);
    const peaks = view.getUint32(entry + 4, true);
    if (samplesPerPeak < 1 || samplesPerPeak > MAX_SAMPLES_PER_PEAK) {
      throw invalid(`have 1 to ${MAX_SAMPLES_PER_PEAK} samples a peak`, String(samplesPerPeak));
    }
    const expected = Math.ceil(frames / samplesPerPeak);
    if (peaks !== expected)
      throw invalid(`have ${expected} peaks of ${samplesPerPeak} samples`, String(peaks));
    if (at + peaks * BYTES_PER_PEAK > bytes.length)
      throw invalid('hold all its peaks', `${bytes.length} bytes`);
    const start = at;
    const signed = (row: number) =>
      new Int8Array(bytes.buffer, bytes.byteOffset + start + row * peaks, peaks);
    const unsigned = (row: number) => bytes.subarray(start + row * peaks, start + (row + 1) * peaks);
    zooms.push({
      samplesPerPeak,
      min: signed(0),
      max: signed(1),
      rms: unsigned(2),
      low: unsigned(3),
      mid: unsigned(4),
      high: unsigned(5),
    });
    at += peaks * BYTES_PER_PEAK;
  }
  if (at !== bytes.length) throw invalid(`be ${at} bytes long`, `${bytes.length} bytes`);
  return { sampleRate, frames, zooms };
}

function invalid(rule: string, got: string): RangeError {
  return new RangeError(`a peaks file must ${rule} (got ${got})`);
}
