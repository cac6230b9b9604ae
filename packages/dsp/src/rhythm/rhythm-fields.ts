import { roundTo } from '../plan/rounding.ts';
import type { Rhythm } from './rhythm.ts';
import { type TempoPoint, tempoCurve } from './tempo-curve.ts';
import { beatsPerBarOf } from './time-signature.ts';

const SAMPLE_RATE = 22_050;
const BEAT_HOP = 512;

/** Tempo, beats and bars in the field names of the service, in which they are stored and sent. */
export interface RhythmFields {
  /** Beats per minute with two decimals; 0 without a pulse. */
  tempo: number;
  /** Probability that tempo and beats are right, 0 to 1. */
  tempo_confidence: number;
  /** Whether the tempo is constant. */
  tempo_stable: boolean;
  /** Tempo every four beats where it varies; empty for a constant tempo. Seconds, beats per minute. */
  tempo_curve: TempoPoint[];
  /** `4/4`, `3/4`, `6/8` and so on; empty without a pulse. */
  time_signature: string;
  /** Beat times in hops of 512 samples at 22,050 Hz. */
  beat_frames: number[];
  /** Beat times in seconds, to a tenth of a millisecond. */
  beats: number[];
  /** Those of the beats that begin a bar, in seconds. */
  downbeats: number[];
}

/** Converts a rhythm, detected or made from a grid rule, to the field names of the service. */
export function toRhythmFields(rhythm: Rhythm): RhythmFields {
  const beats = rhythm.beats.map((beat) => roundTo(beat, 4));
  return {
    tempo: rhythm.bpm,
    tempo_confidence: roundTo(rhythm.confidence, 3),
    tempo_stable: rhythm.isStable,
    tempo_curve: tempoCurve(rhythm.beats, rhythm.isStable).map(({ time, bpm }) => ({
      time: roundTo(time, 3),
      bpm,
    })),
    time_signature: rhythm.timeSignature,
    beat_frames: beats.map((beat) => Math.round((beat * SAMPLE_RATE) / BEAT_HOP)),
    beats,
    downbeats: rhythm.downbeats.map((beat) => roundTo(beat, 4)),
  };
}

/** Converts the fields of the service back to a rhythm. */
export function fromRhythmFields(fields: RhythmFields): Rhythm {
  return {
    bpm: fields.tempo,
    confidence: fields.tempo_confidence,
    isStable: fields.tempo_stable,
    beats: fields.beats,
    downbeats: fields.downbeats,
    beatsPerBar: fields.time_signature === '' ? 0 : beatsPerBarOf(fields.time_signature),
    timeSignature: fields.time_signature,
  };
}
