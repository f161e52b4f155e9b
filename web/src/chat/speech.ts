import { useSyncExternalStore } from "react";
import { toPlainText } from "../markdown/plain-text.ts";
import { Store } from "./store.ts";

/** Reading aloud and dictation by the browser, without a server. */

const speaking = new Store<string | undefined>(undefined);

export function canSpeak(): boolean {
  return "speechSynthesis" in globalThis;
}

/** Reads one message aloud at a time. */
export function useSpeech(messageId: string) {
  const current = useSyncExternalStore(speaking.subscribe, speaking.get);
  return {
    isSpeaking: current === messageId,
    stop() {
      speechSynthesis.cancel();
      speaking.set(undefined);
    },
    speak(markdown: string) {
      speechSynthesis.cancel();
      const utterance = new SpeechSynthesisUtterance(toPlainText(markdown));
      utterance.addEventListener("end", () => speaking.set(undefined));
      utterance.addEventListener("error", () => speaking.set(undefined));
      speaking.set(messageId);
      speechSynthesis.speak(utterance);
    },
  };
}
