import type { Page } from "playwright-core";

/** In place of the browser's speech: what the app asks of it, and what a test makes it answer. */
export interface FakeSpeech {
  /** The recognitions that were started, with what was done to each. */
  recognitions(): Promise<{ lang: string; calls: string[] }[]>;
  /** The newest recognition understands something. */
  hear(text: string): Promise<void>;
  /** The newest recognition fails, and ends. */
  failListening(reason: string): Promise<void>;
  /** The texts that wait to be said or are being said. */
  queue(): Promise<string[]>;
  /** Ends what is being said. */
  finish(): Promise<void>;
  failSpeaking(reason: string): Promise<void>;
}

export async function fakeSpeech(page: Page): Promise<FakeSpeech> {
  await page.addInitScript(FAKES);
  const recognitions = () =>
    page.evaluate<{ lang: string; calls: string[] }[]>(
      "recognitions.map(({ lang, calls }) => ({ lang, calls }))",
    );
  const say = (text: string) => JSON.stringify(text);
  return {
    recognitions,
    hear: (text) => page.evaluate(`recognitions.at(-1).hear(${say(text)})`),
    failListening: (reason) => page.evaluate(`recognitions.at(-1).fail(${say(reason)})`),
    queue: () => page.evaluate("speechSynthesis.queue.map(({ text }) => text)"),
    finish: () => page.evaluate("speechSynthesis.finish()"),
    failSpeaking: (reason) => page.evaluate(`speechSynthesis.fail(${say(reason)})`),
  };
}

/** Events come later, as those of browsers do. */
const FAKES = `
  globalThis.recognitions = [];
  globalThis.SpeechRecognition = undefined;
  globalThis.webkitSpeechRecognition = class extends EventTarget {
    calls = [];
    results = [];
    constructor() { super(); recognitions.push(this); }
    #later(name, more) {
      setTimeout(() => this.dispatchEvent(Object.assign(new Event(name), more)));
    }
    start() { this.calls.push("start"); }
    stop() { this.calls.push("stop"); this.#later("end"); }
    abort() { this.calls.push("abort"); this.#later("error", { error: "aborted" }); this.#later("end"); }
    hear(transcript) {
      const result = Object.assign([{ transcript }], { isFinal: true });
      this.results.push(result);
      this.#later("result", { results: this.results, resultIndex: this.results.length - 1 });
    }
    fail(error) { this.#later("error", { error }); this.#later("end"); }
  };
  globalThis.SpeechSynthesisUtterance = class extends EventTarget {
    constructor(text) { super(); this.text = text; }
  };
  const later = (utterance, name, more) =>
    setTimeout(() => utterance.dispatchEvent(Object.assign(new Event(name), more)));
  Object.defineProperty(globalThis, "speechSynthesis", { value: {
    queue: [],
    speak(utterance) { this.queue.push(utterance); },
    cancel() {
      for (const utterance of this.queue.splice(0)) later(utterance, "error", { error: "canceled" });
    },
    finish() { later(this.queue.shift(), "end"); },
    fail(error) { later(this.queue.shift(), "error", { error }); },
  } });
`;
