// Small sounds made on the spot: a bell when it is your turn, wheels on a rail joint, a card on the table.

let context;

// Browsers let a page make sounds only after somebody has touched it.
export function readySound() {
  if (document.documentElement.dataset.sound === "off") return;
  const begin = () => {
    context ??= new AudioContext();
    context.resume();
  };
  addEventListener("pointerdown", begin, { once: true });
  addEventListener("keydown", begin, { once: true });
}

export function play(name) {
  if (!context || context.state !== "running" || document.documentElement.dataset.sound === "off") return;
  SOUNDS[name]?.();
}

const SOUNDS = {
  turn: () => (tone(880, 0, 0.5, 0.09), tone(1318, 0.09, 0.7, 0.06)),
  over: () => [523, 659, 784, 1046].forEach((pitch, n) => tone(pitch, n * 0.14, 0.8, 0.07)),
  claim: () => [0, 0.11, 0.32, 0.43].forEach((at) => knock(at, 220, 0.16)),
  card: () => knock(0, 2600, 0.05),
  talk: () => (tone(660, 0, 0.25, 0.05), tone(784, 0.08, 0.3, 0.04)),
  tunnel: () => (tone(110, 0, 0.9, 0.12), knock(0.1, 140, 0.2)),
};

function tone(pitch, at, long, loud) {
  const start = context.currentTime + at;
  const source = new OscillatorNode(context, { type: "sine", frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.linearRampToValueAtTime(loud, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + long);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + long);
}

function knock(at, pitch, loud) {
  const start = context.currentTime + at;
  const noise = new AudioBuffer({ length: 2205, sampleRate: 44100 });
  const samples = noise.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = (Math.random() * 2 - 1) * (1 - n / samples.length) ** 3;
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source.connect(filter).connect(new GainNode(context, { gain: loud * 4 })).connect(context.destination);
  source.start(start);
}
