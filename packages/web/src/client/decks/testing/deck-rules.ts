import type { DeckFacts } from '@stem-studio/contract/decks/apply-deck-message';
import {
  createDeckRecord,
  type DeckRecord,
  refuseDeckMessage,
  takeDeckMessage,
} from '@stem-studio/contract/decks/take-deck-message';
import type { DeckMessage, DeckPush, DeckReply, DeckWelcome } from '@stem-studio/contract/events/decks';
import { cueColors } from '@stem-studio/contract/resources/cue';

/** Initial session of {@link DeckRules}. */
export const deckSessionId = '0198c0de-0000-7000-8000-000000000000';
/** Tracks that can be loaded. */
export const tracks = [
  '0198c0de-0000-7000-8000-000000000001',
  '0198c0de-0000-7000-8000-000000000002',
] as const;
/** Separation of the first of {@link tracks}. */
export const separation = '0198c0de-0000-7000-8000-000000000003';

/** Returns a value serialised to JSON and parsed. */
export const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** In-memory implementation of the service, without its database. */
export class DeckRules {
  record: DeckRecord = createDeckRecord();
  nowMs = 1_000_000;
  sessionId: string = deckSessionId;

  /** Applies a message and returns the reply and the pushes; null if it is refused with an error. */
  take(message: DeckMessage): { reply: DeckReply; pushes: readonly DeckPush[] } | null {
    const refused = refuseDeckMessage(this.record, message, this.nowMs);
    if (refused) return { reply: refused, pushes: [] };
    const facts = this.#factsOf(message);
    if (!facts) return null;
    const { record, reply, pushes } = takeDeckMessage(this.record, message, { now: this.nowMs, ...facts });
    this.record = overTheWire(record);
    return { reply, pushes };
  }

  /** Starts another login with a new, empty session. */
  beginAnew(sessionId: string): void {
    this.sessionId = sessionId;
    this.record = createDeckRecord();
  }

  #factsOf(message: DeckMessage): Omit<DeckFacts, 'now'> | null {
    if (message.event === 'load_track' && message.track_id !== null) {
      const index = tracks.findIndex((id) => id === message.track_id);
      if (index < 0) return null;
      const cue = {
        position_ms: 4000,
        end_ms: null,
        label: 'Drop',
        color: cueColors.drop,
        cue_point_id: null,
      };
      return {
        track: {
          track_bpm: [126, 174][index] ?? null,
          duration_ms: 60_000,
          hot_cues: [{ slot: 0, ...cue }],
          loudness_lufs: [-8.5, null][index] ?? null,
          true_peak_db: [-0.2, null][index] ?? null,
          separation: index === 0 ? { processing_job_id: separation, stems: ['vocals', 'drums'] } : null,
        },
      };
    }
    if (message.event === 'load_stems' && message.processing_job_id !== null)
      return this.record.state.decks[message.deck].track_id === tracks[0]
        ? { stems: ['vocals', 'drums'] }
        : null;
    return {};
  }

  /** Returns the reply to a join. */
  welcome(): DeckWelcome {
    const { state, version, taken } = this.record;
    const session = { id: this.sessionId, version, ...state };
    return overTheWire({ session, now: this.nowMs, taken: taken.map(([client, seq]) => ({ client, seq })) });
  }
}
