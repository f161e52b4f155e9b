import { useEffect, useRef, useState } from "react";
import { currentLanguage } from "../texts/language.ts";

interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  start(): void;
  stop(): void;
}

interface ResultEvent extends Event {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}

export interface Dictation {
  isListening: boolean;
  toggle: () => void;
}

/** Speech to text by the browser, if it supports that. Source: Web Speech API. */
export function useDictation(onText: (text: string) => void): Dictation | undefined {
  const [isListening, setListening] = useState(false);
  const recognition = useRef<Recognition>(undefined);
  const write = useRef(onText);
  useEffect(() => {
    write.current = onText;
  });
  useEffect(() => () => recognition.current?.stop(), []);
  const create = constructorOf();
  if (!create) return undefined;
  const start = () => {
    const started = new create();
    started.lang = currentLanguage();
    started.continuous = true;
    started.addEventListener("result", (event) =>
      write.current(finalText(event as ResultEvent)),
    );
    started.addEventListener("end", () => setListening(false));
    recognition.current = started;
    started.start();
    setListening(true);
  };
  return {
    isListening,
    toggle: () => (isListening ? recognition.current?.stop() : start()),
  };
}

function finalText({ results, resultIndex }: ResultEvent): string {
  const added = Array.from(results).slice(resultIndex);
  const spoken = added
    .filter(({ isFinal }) => isFinal)
    .map((result) => result[0]?.transcript);
  return spoken.join(" ").trim();
}

/** The interface has a prefix in most browsers. */
function constructorOf(): (new () => Recognition) | undefined {
  const scope = globalThis as {
    SpeechRecognition?: new () => Recognition;
    webkitSpeechRecognition?: new () => Recognition;
  };
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition;
}
