import { isDividedInThree, isHalvedBar, isUndivided, settleBeatLevel } from './beat-level.ts';
import { beatPhaseEvidence, type ChromaBetween, guideTo, positionsBetween } from './beat-phase.ts';
import { trackBeats } from './beats.ts';
import { findBars } from './downbeats.ts';
import { measureTempo } from './measured-tempo.ts';
import { ONSET_RATE, type OnsetStrength, onsetEnvelope } from './onset-envelope.ts';
import { noPulse, type Rhythm } from './rhythm.ts';
import { beatsOfGrid, findStraightGrid } from './straight-grid.ts';
import { findTempo, localPeriods, TEMPO_LAG_COUNT, trustTempo } from './tempo.ts';
import { tempogram } from './tempogram.ts';

/** Fewest beats of a pulse. */
const LEAST_BEATS = 4;
const GUIDE_WIDTH_HOPS = 4;
/** Least coherence of a grid of constant tempo that replaces the tracked beats. */
const LEAST_COHERENCE = 0.85;
/** Phase evidence below which beats of a constant tempo are shifted. */
const CERTAINLY_OFF = -0.3;
/** Other phases that the beats may have: the half, and the thirds of swing. */
const RIVAL_PHASES = [1 / 2, 1 / 3, 2 / 3];
/** Tempo above which beats in groups of three are eighths. */
const EIGHTHS_BPM = 150;

/**
 * Detects tempo, beats and bars of a track.
 *
 * onset strength → tempogram → tempo and local periods → beats → phase → constant tempo if there is one → metrical
 * level → bars. `loadFft` must have finished.
 *
 * @param onsets onset strength of the whole track
 * @param durationSeconds length of the track: no beat lies beyond
 * @param chromaAt chroma between two times in seconds; undefined if it is unknown
 * @returns {@link noPulse} for silence, a single click, noise, and audio of fewer than four beats
 * @spec Tempo and beats
 */
export function trackRhythm(
  onsets: OnsetStrength,
  durationSeconds: number,
  chromaAt: (fromSeconds: number, toSeconds: number) => Float32Array | undefined = () => undefined,
): Rhythm {
  const envelope = onsetEnvelope(onsets);
  const gram = tempogram(envelope, TEMPO_LAG_COUNT);
  const trackedBpm = findTempo(gram, envelope.length);
  if (trackedBpm === 0) return noPulse;

  const periods = localPeriods(gram, trackedBpm);
  const periodAt = (hop: number): number => {
    const row = Math.min(periods.length - 1, Math.round(hop / gram.stepHops));
    return periods[row] ?? (60 * ONSET_RATE) / trackedBpm;
  };
  const toSeconds = (hop: number): number => hop / ONSET_RATE;
  const chromaBetween: ChromaBetween = (from, to) => chromaAt(toSeconds(from), toSeconds(to));
  let positions = trackBeats(envelope, periodAt);
  const better = betterPhase(onsets, positions, chromaBetween, 0);
  if (better > 0) {
    const guide = guideTo(envelope, positionsBetween(positions, better), GUIDE_WIDTH_HOPS);
    positions = trackBeats(guide, periodAt);
  }
  positions = straightened(onsets, envelope, positions, chromaBetween);
  positions = positions.filter((hop) => toSeconds(hop) >= 0 && toSeconds(hop) <= durationSeconds);
  if (positions.length < LEAST_BEATS) return noPulse;

  const fast = measureTempo(positions.map(toSeconds)).bpm;
  const { isCompound, positions: counted } = settleLevel(onsets, envelope, positions, fast, chromaBetween);
  positions = counted;
  const bars = findBars(onsets, positions, isCompound, chromaBetween);
  const beats = positions.map(toSeconds);
  const { bpm, isStable } = measureTempo(beats);
  return {
    bpm,
    isStable,
    confidence: trustTempo(gram, periods, trackedBpm, bpm),
    beats,
    downbeats: beats.filter((_, index) => index % bars.beatsPerBar === bars.firstDownbeat),
    beatsPerBar: bars.beatsPerBar,
    timeSignature: bars.beatsPerBar === 2 ? '6/8' : `${bars.beatsPerBar}/4`,
  };
}

/**
 * Replaces the beats by those of a constant tempo if the music has one. A beat tracker follows local maxima and may
 * move to another phase for a while.
 */
function straightened(
  onsets: OnsetStrength,
  envelope: Float32Array,
  positions: number[],
  chromaBetween: ChromaBetween,
): number[] {
  const grid = findStraightGrid(envelope, positions);
  if (!grid || grid.coherence < LEAST_COHERENCE) return positions;
  const half = grid.periodHops / 2;
  const beats = beatsOfGrid(grid, (positions[0] ?? 0) - half, (positions.at(-1) ?? 0) + half);
  const better = betterPhase(onsets, beats, chromaBetween, CERTAINLY_OFF);
  return better > 0 ? positionsBetween(beats, better) : beats;
}

/** Returns the fraction of a beat by which to shift the beats if the evidence is below `limit`, else 0. */
function betterPhase(
  onsets: OnsetStrength,
  beats: readonly number[],
  chromaBetween: ChromaBetween,
  limit: number,
): number {
  const rivals = RIVAL_PHASES.map((part) => ({
    part,
    evidence: beatPhaseEvidence(onsets, beats, part, chromaBetween),
  }));
  const strongest = rivals.reduce((best, rival) => (rival.evidence < best.evidence ? rival : best));
  return strongest.evidence < limit ? strongest.part : 0;
}

/** Returns the beats at the level at which people count, and whether each is divided in three. */
function settleLevel(
  onsets: OnsetStrength,
  envelope: Float32Array,
  positions: number[],
  bpm: number,
  chromaBetween: ChromaBetween,
): { isCompound: boolean; positions: number[] } {
  if (isDividedInThree(envelope, positions)) return { isCompound: true, positions };
  const { beatsPerBar, firstDownbeat } = findBars(onsets, positions, false, chromaBetween);
  if (beatsPerBar !== 3)
    return { isCompound: false, positions: [...settleBeatLevel(onsets, envelope, positions, bpm)] };
  const bars = positions.filter((_, index) => index % 3 === firstDownbeat);
  // Groups of three at this tempo are the eighths of 6/8.
  if (bpm > EIGHTHS_BPM && isUndivided(envelope, positions)) return { isCompound: true, positions: bars };
  if (!isHalvedBar(onsets, bars)) return { isCompound: false, positions };
  return {
    isCompound: true,
    positions: [...bars, ...positionsBetween(bars)].sort((left, right) => left - right),
  };
}
