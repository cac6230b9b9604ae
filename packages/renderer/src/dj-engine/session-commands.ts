import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { followsOther } from '@stem-studio/contract/decks/settle-lead';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckLoop, DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { effectSetting } from '../effects/effect-setting.ts';
import { channelStripSetting, stemGains } from './channel-strip-setting.ts';
import type { DjEngineCommand, FrameLoop } from './dj-engine-messages.ts';

/** Loaded source of a deck: the song, or its stems in the order of the engine's sources. */
export interface LoadedSource {
  sampleRateHz: number;
  sources: readonly (StemType | 'song')[];
}

/** A deck session and the sources that the engine has loaded. */
export interface EngineSession {
  session: DeckSessionState;
  /** Loaded source of each deck; null before any. */
  loaded: Readonly<Record<DeckId, LoadedSource | null>>;
  /** Decks with a held loop roll: slip is on for as long. */
  rolling: Readonly<Record<DeckId, boolean>>;
}

/**
 * Returns the commands that take the engine from session `before` to `after`; all of them for null. Jumps are not
 * part of the state and not included; `id` is 0, to be numbered by the sender.
 */
export function engineCommandsFor(before: EngineSession | null, after: EngineSession): DjEngineCommand[] {
  const known = before ? commandsOf(before) : new Map<string, DjEngineCommand>();
  const commands: DjEngineCommand[] = [];
  for (const [name, command] of commandsOf(after)) {
    const last = known.get(name);
    if (!last && isEffectOff(command)) continue;
    if (!last || comparable(last) !== comparable(command)) commands.push(command);
  }
  return commands;
}

/** Returns whether a command leaves a new engine as it is. */
function isEffectOff(command: DjEngineCommand): boolean {
  return 'effect' in command && !command.effect.isOn;
}

/** Returns a command as text for comparison: how a deck gets onto the beat is no difference. */
function comparable(command: DjEngineCommand): string {
  return JSON.stringify(command, (key, value: unknown) => (key === 'keepsPhase' ? undefined : value));
}

/** Returns the commands for the whole state of a session, by name, in the order in which they are sent. */
function commandsOf(snapshot: EngineSession): Map<string, DjEngineCommand> {
  const commands = new Map<string, DjEngineCommand>();
  const { mixer } = snapshot.session;
  commands.set('master', {
    type: 'master',
    master: {
      crossfader: mixer.crossfader,
      curve: mixer.crossfader_curve,
      volume: mixer.master_volume,
      headphoneVolume: mixer.headphone_volume,
      headphoneMix: mixer.headphone_mix,
    },
  });
  commands.set('metronome', {
    type: 'metronome',
    isOn: mixer.is_metronome_on,
    volume: mixer.metronome_volume,
    output: mixer.metronome_output,
    leader: clickingDeck(snapshot.session),
  });
  commands.set('master effect', { type: 'master-effect', effect: effectSetting(mixer.effect) });
  for (const deck of deckIds) addSettings(commands, snapshot, deck);
  const follower = deckIds.find((deck) => followsOther(snapshot.session, deck));
  const leader = follower ? otherDeck(follower) : null;
  // A quantized deck jumps onto the beat, another is corrected gradually.
  const keepsPhase = follower !== undefined && snapshot.session.decks[follower].is_quantized;
  commands.set('sync', {
    type: 'sync',
    leader,
    keepsPhase,
    ...(mixer.sync_unit === 'bar' && { unit: 'bar' }),
  });
  for (const deck of deckIds) addTransport(commands, snapshot, deck);
  return commands;
}

/** Returns the deck whose beats the metronome and the effect on the master follow: the leader, or the other where that plays alone. */
function clickingDeck({ decks, mixer }: DeckSessionState): DeckId | null {
  const leader = mixer.master_deck;
  if (leader === null || decks[leader].is_playing || !decks[otherDeck(leader)].is_playing) return leader;
  return otherDeck(leader);
}

function addSettings(commands: Map<string, DjEngineCommand>, snapshot: EngineSession, deck: DeckId): void {
  const state = snapshot.session.decks[deck];
  const loaded = snapshot.loaded[deck];
  const add = (name: string, command: DjEngineCommand) => commands.set(`${deck} ${name}`, command);
  add('strip', { type: 'strip', deck, strip: channelStripSetting(state.strip, state.auto_gain_db) });
  for (const [slot, effect] of state.effects.entries())
    add(`effect ${slot}`, { type: 'effect', deck, slot, effect: effectSetting(effect) });
  if (!loaded) return;
  const { sampleRateHz, sources } = loaded;
  const stemOf = (type: StemType | 'song') => state.stems.find((stem) => stem.stem_type === type);
  const gains = stemGains(state.stems);
  add('tempo', {
    type: 'tempo',
    deck,
    rate: 1 + state.tempo_percent / 100,
    isKeyLocked: state.is_key_locked,
    semitones: state.key_semitones,
  });
  add('gains', {
    type: 'source-gains',
    deck,
    gains: sources.map((type) => {
      const stem = stemOf(type);
      return stem ? (gains[state.stems.indexOf(stem)] ?? 1) : 1;
    }),
  });
  for (const [source, type] of sources.entries()) {
    const loop = frameLoop(stemOf(type)?.loop ?? null, sampleRateHz);
    add(`source ${source} loop`, { type: 'source-loop', deck, source, loop });
  }
  const slip: DjEngineCommand = {
    type: 'slip',
    deck,
    isOn: state.is_slipping || snapshot.rolling[deck],
    id: 0,
  };
  // Slip starts before a loop that may move the position. A loop that ends moves to the slip position, and only then
  // slip is turned off.
  if (slip.isOn) add('slip', slip);
  add('loop', { type: 'loop', deck, loop: frameLoop(state.loop, sampleRateHz), id: 0 });
  if (!slip.isOn) add('slip', slip);
}

function addTransport(
  commands: Map<string, DjEngineCommand>,
  { session, loaded }: EngineSession,
  deck: DeckId,
): void {
  const { is_playing, is_quantized } = session.decks[deck];
  if (!loaded[deck]) return;
  const keepsPhase = is_quantized && followsOther(session, deck);
  const command: DjEngineCommand = is_playing
    ? { type: 'play', deck, keepsPhase, id: 0 }
    : { type: 'pause', deck, id: 0 };
  commands.set(`${deck} transport`, command);
}

function frameLoop(loop: DeckLoop | null, sampleRateHz: number): FrameLoop | null {
  if (!loop?.active) return null;
  return {
    startFrame: (loop.start_ms / 1000) * sampleRateHz,
    endFrame: (loop.end_ms / 1000) * sampleRateHz,
  };
}
