import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { followsOther } from '@stem-studio/contract/decks/settle-lead';
import {
  type DeckId,
  type DeckLoop,
  type DeckSessionState,
  deckIds,
} from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { stripSetting, voiceGains } from './channel-strip-setting.ts';
import type { BoothCommand, FrameLoop } from './dj-engine-messages.ts';

/** What sounds on a deck: the song, or its stems in the order of the booth's voices. */
export interface LoadedSound {
  sampleRateHz: number;
  voices: readonly (StemType | 'song')[];
}

/** A session together with what of it the booth has. */
export interface BoothScene {
  session: DeckSessionState;
  /** What each deck has loaded; null for nothing yet. */
  loaded: Readonly<Record<DeckId, LoadedSound | null>>;
  /** The decks on which a loop roll is held: they slip for as long. */
  rolling: Readonly<Record<DeckId, boolean>>;
}

/**
 * What the booth has to be told so that it does what `after` says, when it did what `before` says; everything where
 * `before` is null. Where a deck jumps to is no state and not told here; `id` is left 0 for the sender to count.
 */
export function boothCommandsFor(before: BoothScene | null, after: BoothScene): BoothCommand[] {
  const known = before ? standingCommands(before) : new Map<string, BoothCommand>();
  const commands: BoothCommand[] = [];
  for (const [name, command] of standingCommands(after)) {
    const last = known.get(name);
    if (!last || written(last) !== written(command)) commands.push(command);
  }
  return commands;
}

/** A command as it is compared: how a deck gets onto the beat is no news by itself. */
function written(command: BoothCommand): string {
  return JSON.stringify(command, (key, value: unknown) => (key === 'isPhaseKept' ? undefined : value));
}

/** All that holds until it is told otherwise, by name, in the order in which it is to be told. */
function standingCommands(scene: BoothScene): Map<string, BoothCommand> {
  const commands = new Map<string, BoothCommand>();
  const { mixer } = scene.session;
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
    leader: clickingDeck(scene.session),
  });
  for (const deck of deckIds) addSettings(commands, scene, deck);
  const follower = deckIds.find((deck) => followsOther(scene.session, deck));
  const leader = follower ? otherDeck(follower) : null;
  // A deck that is quantized gets onto the beat at once, another is drawn there.
  const isPhaseKept = follower !== undefined && scene.session.decks[follower].is_quantized;
  commands.set('sync', { type: 'sync', leader, isPhaseKept });
  for (const deck of deckIds) addTransport(commands, scene, deck);
  return commands;
}

/** The deck whose beats are clicked: the one that leads, or the other where that plays alone. */
function clickingDeck({ decks, mixer }: DeckSessionState): DeckId | null {
  const leads = mixer.master_deck;
  if (leads === null || decks[leads].is_playing || !decks[otherDeck(leads)].is_playing) return leads;
  return otherDeck(leads);
}

function addSettings(commands: Map<string, BoothCommand>, scene: BoothScene, deck: DeckId): void {
  const state = scene.session.decks[deck];
  const loaded = scene.loaded[deck];
  const add = (name: string, command: BoothCommand) => commands.set(`${deck} ${name}`, command);
  add('strip', { type: 'strip', deck, strip: stripSetting(state.strip) });
  if (!loaded) return;
  const { sampleRateHz, voices } = loaded;
  const stemOf = (type: StemType | 'song') => state.stems.find((stem) => stem.stem_type === type);
  const gains = voiceGains(state.stems);
  add('tempo', {
    type: 'tempo',
    deck,
    rate: 1 + state.tempo_percent / 100,
    isKeyLocked: state.is_key_locked,
    semitones: state.key_semitones,
  });
  add('voices', {
    type: 'voices',
    deck,
    gains: voices.map((type) => {
      const stem = stemOf(type);
      return stem ? (gains[state.stems.indexOf(stem)] ?? 1) : 1;
    }),
  });
  for (const [voice, type] of voices.entries()) {
    const loop = frameLoop(stemOf(type)?.loop ?? null, sampleRateHz);
    add(`voice ${voice} loop`, { type: 'voice-loop', deck, voice, loop });
  }
  const slip: BoothCommand = {
    type: 'slip',
    deck,
    isOn: state.is_slipping || scene.rolling[deck],
    id: 0,
  };
  // It slips from before a loop, which may move it. One that ends leads to where it slipped to, and only then it slips no more.
  if (slip.isOn) add('slip', slip);
  add('loop', { type: 'loop', deck, loop: frameLoop(state.loop, sampleRateHz), id: 0 });
  if (!slip.isOn) add('slip', slip);
}

function addTransport(
  commands: Map<string, BoothCommand>,
  { session, loaded }: BoothScene,
  deck: DeckId,
): void {
  const { is_playing, is_quantized } = session.decks[deck];
  if (!loaded[deck]) return;
  const isPhaseKept = is_quantized && followsOther(session, deck);
  const command: BoothCommand = is_playing
    ? { type: 'play', deck, isPhaseKept, id: 0 }
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
