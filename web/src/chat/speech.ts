import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { loadPart } from "../api/load-part.ts";
import { toPlainText } from "../markdown/plain-text.ts";
import { modelKindsQuery } from "../shell/queries.ts";
import { useWhenIdle } from "../shell/use-when-idle.ts";
import { currentLanguage } from "../texts/language.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { Store } from "./store.ts";

/**
 * Reading aloud: by a model of the server where one may be used, else by the browser. Source: Web
 * Speech API.
 */

/** The message that is being read. */
const speaking = new Store<string | undefined>(undefined);
/** What is left to say. Chromium sends no events of utterances to which nothing refers. */
let utterances: readonly SpeechSynthesisUtterance[] = [];
/** Ends what a model of the server reads. */
let leaving: AbortController | undefined;
/** Reasons that are no failure: what the reader stopped, or read instead. */
const STOPPED = ["canceled", "interrupted"];

const CAN_SPEAK = "speechSynthesis" in globalThis;

/** Who reads aloud, if anybody can. */
function useSpeaker(): "server" | "browser" | undefined {
  const [isIdle, setIdle] = useState(false);
  // nobody has an answer read before it is there
  useWhenIdle(() => setIdle(true));
  const { data } = useQuery({ ...modelKindsQuery, enabled: isIdle });
  if (data?.kinds.includes("speech")) return "server";
  return CAN_SPEAK ? "browser" : undefined;
}

/** Reads one message aloud at a time. */
export function useSpeech(messageId: string, onFailure: () => void) {
  const speaker = useSpeaker();
  const current = useSyncExternalStore(speaking.subscribe, speaking.get);
  return {
    speaker,
    isSpeaking: current === messageId,
    stop: stopSpeaking,
    speak: (markdown: string) =>
      speaker === "server"
        ? speakByServer(messageId, markdown)
        : speak(messageId, markdown, onFailure),
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
  leaving?.abort();
  leaving = undefined;
  if (CAN_SPEAK) speechSynthesis.cancel();
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

function speakByServer(messageId: string, markdown: string): void {
  stopSpeaking();
  const sentences = sentencesOf(toPlainText(markdown));
  if (sentences.length === 0) return;
  const own = (leaving = new AbortController());
  speaking.set(messageId);
  const read = async () => {
    const { readAloud } = await loadPart(() => import("./read-aloud.ts"));
    await readAloud(sentences, own.signal);
  };
  void read()
    .catch((error: unknown) => own.signal.aborted || notifyFailure(error))
    .finally(() => leaving === own && stopSpeaking());
}

function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter(currentLanguage(), { granularity: "sentence" });
  return Array.from(segments.segment(text), ({ segment }) => segment.trim()).filter(
    (sentence) => sentence !== "",
  );
}
