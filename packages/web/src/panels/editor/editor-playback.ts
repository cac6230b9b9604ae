import type { Scope } from '@stem-studio/audio/base/scope';
import { EditPlayer, type EditPlayerState, type StripChange } from '@stem-studio/audio/editor/edit-player';
import { createEditMixerNode } from '@stem-studio/audio/graph/edit-mixer-node';
import { fetchRange } from '@stem-studio/audio/player/fetch-range';
import type { LivePeaks } from '@stem-studio/audio/player/song-player';
import type { Separation } from '@stem-studio/contract/resources/separation';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createStore } from 'zustand/vanilla';
import { fileAddress } from '../../client/peaks-query.ts';
import { releaseOutput, takeOutput } from '../../state/output-use.state.ts';
import type { EditorModel } from './editor-model.ts';
import type { Span } from './selection.ts';

/** Sample rate of the stems that the editor plays, in Hz. */
const RATE_HZ = 44_100;

/** What the transport shows. */
export interface PlaybackShown {
  readonly state: EditPlayerState;
  readonly error: string | null;
  /** Looped part; null without a loop. */
  readonly loop: Span | null;
}

/**
 * Playback of the open project. The playhead stands at the cursor until it plays; a cursor that is moved while it is
 * paused moves the playhead.
 */
export class EditorPlayback {
  readonly shown = createStore<PlaybackShown>(() => ({ state: 'loading', error: null, loop: null }));
  readonly #model: EditorModel;
  readonly #title: string;
  #player: EditPlayer | null = null;

  constructor(model: EditorModel, title: string) {
    this.#model = model;
    this.#title = title;
  }

  /** Opens the stems of a separation until `scope` ends. */
  open(scope: Scope, { stems }: Separation): void {
    const player = EditPlayer.open(
      scope,
      stems.map((stem) => ({ source: stem.stem_type, url: fileAddress(stem.file_path) })),
      { fetchRange, createEngine: createEditMixerNode },
    );
    this.#player = player;
    player.setState(this.#model.state);
    player.seek(this.#model.selection.cursorMs);
    player.setLoop(this.shown.getState().loop);
    this.#show();
    let { state, selection } = this.#model.shown.getState();
    scope.own(
      this.#model.shown.subscribe((now) => {
        if (now.state !== state) player.setState(now.state);
        const isMoved = now.selection.cursorMs !== selection.cursorMs;
        ({ state, selection } = now);
        if (isMoved && !this.isPlaying) player.seek(selection.cursorMs);
      }),
    );
    scope.own(player.subscribe(() => this.#show()));
    scope.own(() => {
      this.#player = null;
      releaseOutput('editor');
    });
  }

  /** Whether it plays, or would if it had not to wait for samples. */
  get isPlaying(): boolean {
    const { state } = this.shown.getState();
    return state === 'playing' || state === 'buffering';
  }

  /** Returns the position that is audible, in ms; that of the cursor until the player is open. */
  readonly positionMs = (): number => this.#player?.positionMs() ?? this.#model.selection.cursorMs;

  /** Returns the waveform of a stem; null while none of it has arrived. */
  readonly peaksOf = (source: StemType): LivePeaks | null => this.#player?.peaks(source) ?? null;

  /** Returns samples of a stem; null while they are read. */
  readonly samplesOf = (source: StemType, block: number): Float32Array | null =>
    this.#player?.samples(source, block) ?? null;

  /** Returns the number of blocks of samples that have arrived. */
  readonly samplesVersion = (): number => this.#player?.samplesVersion ?? 0;

  /** Returns the sample rate of the stems in Hz. */
  readonly sampleRateHz = (): number => RATE_HZ;

  /** Returns the peaks of lanes and master since the last call; null while nothing can play. */
  levels(): ReturnType<EditPlayer['levels']> | null {
    return this.#player?.levels() ?? null;
  }

  /** Plays or pauses. While decks play the user is asked first. */
  toggle(): void {
    const player = this.#player;
    if (!player) return;
    if (this.isPlaying) player.pause();
    else if (this.#takeOutput(player)) player.play();
  }

  /** Moves the playhead, also while it plays. */
  seek(ms: number): void {
    this.#player?.seek(ms);
  }

  /** Plays a short part at a position while the pointer moves there; null ends it. */
  scrub(ms: number | null): void {
    const player = this.#player;
    if (!player || this.isPlaying) return;
    if (ms === null || this.#takeOutput(player)) player.scrub(ms);
    if (ms === null) releaseOutput('editor');
  }

  /** Plays a value of a channel strip while it is moved, before it is saved. */
  setStrip(lane: string, change: StripChange): void {
    this.#player?.setStrip(lane, change);
  }

  /** Loops over the selected span, or ends the loop; without a span nothing changes. */
  toggleLoop(): void {
    const loop = this.shown.getState().loop === null ? this.#model.selection.span : null;
    this.shown.setState({ loop });
    this.#player?.setLoop(loop);
  }

  #takeOutput(player: EditPlayer): boolean {
    return takeOutput('editor', {
      title: this.#title,
      start: () => player.play(),
      pause: () => player.pause(),
    });
  }

  #show(): void {
    const { state = 'loading', error = null } = this.#player ?? {};
    const wasPlaying = this.isPlaying;
    this.shown.setState({ state, error });
    if (wasPlaying && !this.isPlaying) releaseOutput('editor');
  }
}
