/** Sounds made of oscillators and noise; nothing is fetched. */

import { options } from "./state/options.svelte";

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!options.sound || globalThis.AudioContext === undefined) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** The gain of a volume between 0 and 100: louder to the very end, and as it stood at the 70 that it is at first. */
export const volumeOf = (volume: number): number => Math.min(100, Math.max(0, volume)) / 70;

/** Everything is heard at the volume the player likes. */
function output(at: AudioContext): AudioNode {
  const gain = new GainNode(at, { gain: volumeOf(options.volume) });
  gain.connect(at.destination);
  return gain;
}

function noise(at: AudioContext, seconds: number, frequency: number, loudness: number): void {
  const length = Math.ceil(at.sampleRate * seconds);
  const buffer = at.createBuffer(1, length, at.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = new AudioBufferSourceNode(at, { buffer });
  const filter = new BiquadFilterNode(at, { type: "bandpass", frequency, Q: 0.8 });
  const gain = new GainNode(at, { gain: loudness });
  source.connect(filter).connect(gain).connect(output(at));
  source.start();
}

function tone(at: AudioContext, frequency: number, start: number, seconds: number, loudness: number): void {
  const from = at.currentTime + start;
  const source = new OscillatorNode(at, { type: "sine", frequency });
  const gain = new GainNode(at, { gain: 0 });
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(loudness, from + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  source.connect(gain).connect(output(at));
  source.start(from);
  source.stop(from + seconds);
}

const rise = (at: AudioContext, notes: readonly number[]): void =>
  notes.forEach((note, index) => tone(at, note, index * 0.09, 0.5, 0.07));

export type Sound = "card" | "turn" | "chip" | "win" | "big" | "huge" | "loss" | "push";

const SOUNDS: Readonly<Record<Sound, (at: AudioContext) => void>> = {
  card: (at) => noise(at, 0.09, 3200, 0.16),
  turn: (at) => noise(at, 0.06, 5200, 0.2),
  chip: (at) => {
    tone(at, 3900, 0, 0.05, 0.05);
    tone(at, 2700, 0.012, 0.06, 0.05);
    noise(at, 0.03, 6000, 0.1);
  },
  loss: (at) => {
    tone(at, 196, 0, 0.22, 0.05);
    tone(at, 164.81, 0.12, 0.3, 0.05);
  },
  push: (at) => tone(at, 329.63, 0, 0.2, 0.04),
  win: (at) => rise(at, [523.25, 659.25, 783.99]),
  big: (at) => rise(at, [523.25, 659.25, 783.99, 1046.5]),
  huge: (at) => rise(at, [523.25, 659.25, 783.99, 1046.5, 783.99, 1046.5, 1318.51, 1567.98]),
};

export function play(sound: Sound): void {
  const at = audio();
  if (at !== null) SOUNDS[sound](at);
}
