import { useEffect, useSyncExternalStore } from "react";
import { toPlainText } from "../markdown/plain-text.ts";
import { currentLanguage } from "../texts/language.ts";
import { Store } from "./store.ts";

/** Reading aloud by the browser, without a server. Source: Web Speech API. */

/** The message that is being read. */
const speaking = new Store<string | undefined>(undefined);
/** What is left to say. Chromium sends no events of utterances to which nothing refers. */
let utterances: readonly SpeechSynthesisUtterance[] = [];
/** Reasons that are no failure: what the reader stopped, or read instead. */
const STOPPED = ["canceled", "interrupted"];

export function canSpeak(): boolean {
  return "speechSynthesis" in globalThis;
}

/** Reads one message aloud at a time. */
export function useSpeech(messageId: string, onFailure: () => void) {
  const current = useSyncExternalStore(speaking.subscribe, speaking.get);
  return {
    isSpeaking: current === messageId,
    stop: stopSpeaking,
    speak: (markdown: string) => speak(messageId, markdown, onFailure),
  };
}

/** Ends reading aloud when the messages are left, in the app or with the page. */
export function useSpeechEnd(): void {
  useEffect(() => {
    globalThis.addEventListener("pagehide", stopSpeaking);
    return () => {
      globalThis.removeEventListener("pagehide", stopSpeaking);
      stopSpeaking();
    };
  }, []);
}

function stopSpeaking(): void {
  if (speaking.get() === undefined) return;
  utterances = [];
  speechSynthesis.cancel();
  speaking.set(undefined);
}

function speak(messageId: string, markdown: string, onFailure: () => void): void {
  stopSpeaking();
  // some browsers end a long utterance in the middle
  const said = sentencesOf(toPlainText(markdown)).map(
    (sentence) => new SpeechSynthesisUtterance(sentence),
  );
  if (said.length === 0) return;
  utterances = said;
  // events of what was read before may come late
  const end = () => void (utterances === said && stopSpeaking());
  for (const utterance of said)
    utterance.addEventListener("error", ({ error }) => {
      if (utterances === said && !STOPPED.includes(error)) onFailure();
      end();
    });
  said.at(-1)?.addEventListener("end", end);
  speaking.set(messageId);
  for (const utterance of said) speechSynthesis.speak(utterance);
}

function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter(currentLanguage(), { granularity: "sentence" });
  return Array.from(segments.segment(text), ({ segment }) => segment.trim()).filter(
    (sentence) => sentence !== "",
  );
}
