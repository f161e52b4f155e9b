import { useSyncExternalStore } from "react";
import { Store } from "./store.ts";

/** Reading aloud and dictation by the browser: nothing leaves for a service of ours. */

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
      const utterance = new SpeechSynthesisUtterance(toSpokenText(markdown));
      utterance.addEventListener("end", () => speaking.set(undefined));
      utterance.addEventListener("error", () => speaking.set(undefined));
      speaking.set(messageId);
      speechSynthesis.speak(utterance);
    },
  };
}

/** A text without the marks that nobody reads aloud. */
export function toSpokenText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[\d+(?:, ?\d+)*\]/g, "")
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]|\d+\.) +/gm, "")
    .replace(/[*_`|]/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
}
