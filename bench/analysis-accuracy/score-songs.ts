import { existsSync } from 'node:fs';
import path from 'node:path';
import { AccuracyScores } from './accuracy-scores.ts';
import { analyzeBlocks, blocksOf, evidenceOf } from './analyze-samples.ts';
import { beatF } from './beat-score.ts';
import { type BeatSong, listBeatSongs } from './beat-songs.ts';
import { EvidenceTable } from './evidence-table.ts';
import { Score } from './score.ts';

/** Songs that are scored when a folder has more: enough for differences of 0.02. */
const MOST_SONGS = 200;
/** Folders of a rendered set: short songs, and long ones with sections. */
const JUDGED = ['judge', 'forms-judge'] as const;

/** Scores of rendered songs, and of each kind of evidence alone. */
export interface SongScores {
  readonly scores: AccuracyScores;
  readonly evidence: EvidenceTable;
}

/**
 * Scores the songs for judging below a folder, or those of the folder itself, at most 200 of each kind.
 *
 * Logs each song, and the mean F of beats and downbeats by genre, timing and drums.
 */
export function scoreSongs(folder: string, log: (line: string) => void): SongScores {
  const scores = new AccuracyScores();
  const evidence = new EvidenceTable();
  const groups = new Map<string, { beats: Score; downbeats: Score }>();
  for (const song of songsBelow(folder)) {
    if (song.isUnknowable) {
      log(`${song.name}: not scored, because too few of its beats sound`);
      continue;
    }
    const samples = song.readSamples();
    const found = analyzeBlocks(blocksOf(samples));
    log(`${song.name}: ${scores.add(song.truth, found)}`);
    if (!song.truth.beats) continue;
    if (!song.truth.sections) log(`  ${evidence.add(song.truth, evidenceOf(samples))}`);
    for (const name of [song.genre, `timing: ${song.timing}`, `drums: ${song.drums}`]) {
      const group = groups.get(name) ?? { beats: new Score(), downbeats: new Score() };
      groups.set(name, group);
      group.beats.add(beatF(song.truth.beats, found.beats ?? []));
      group.downbeats.add(beatF(song.truth.downbeats ?? [], found.downbeats ?? []));
    }
  }
  for (const [name, { beats, downbeats }] of [...groups].sort(([one], [other]) => one.localeCompare(other)))
    log(
      `${name} (n = ${beats.values.length}): beats ${beats.mean.toFixed(2)}, downbeats ${downbeats.mean.toFixed(2)}`,
    );
  return { scores, evidence };
}

function songsBelow(folder: string): BeatSong[] {
  const known = JUDGED.map((name) => path.join(folder, name)).filter((name) => existsSync(name));
  return (known.length > 0 ? known : [folder]).flatMap((name) => listBeatSongs(name, MOST_SONGS));
}
