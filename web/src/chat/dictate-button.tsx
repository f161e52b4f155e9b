import { Mic } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { modelKindsQuery } from "../shell/queries.ts";
import { currentLanguage } from "../texts/language.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { notify } from "../ui/notices.tsx";
import { canRecord } from "./record.ts";
import { type DictateButtonProps, RecordButton } from "./record-button.tsx";
import { useChatTexts } from "./texts.ts";

/** Writes what the user says: by a model of the server if one may be used, else by the browser. */
export function DictateButton(props: DictateButtonProps) {
  const { data, isPending } = useQuery(modelKindsQuery);
  if (isPending) return <span className="size-8 pointer-coarse:size-11" />;
  const isByServer = canRecord() && data?.kinds.includes("transcription");
  return isByServer ? <RecordButton {...props} /> : <BrowserButton {...props} />;
}

/** Nothing where the browser cannot. */
function BrowserButton({ onText, onEnd }: DictateButtonProps) {
  const texts = useChatTexts();
  const failures: Record<string, string> = texts.dictationFailures;
  const dictation = useDictation({
    onText,
    onFailure: (reason) => notify(failures[reason] ?? texts.dictationFailed),
  });
  if (!dictation) return null;
  return (
    <IconButton
      icon={Mic}
      label={dictation.isListening ? texts.stopDictating : texts.dictate}
      pressed={dictation.isListening}
      onClick={() => {
        dictation.toggle();
        if (dictation.isListening) onEnd();
      }}
    />
  );
}

interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

interface ResultEvent extends Event {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}

interface Listener {
  onText: (text: string) => void;
  /** Gets the reason as the browser names it. */
  onFailure: (reason: string) => void;
}

interface Dictation {
  isListening: boolean;
  toggle: () => void;
}

/** Speech to text by the browser, if it supports that. Source: Web Speech API. */
function useDictation(listener: Listener): Dictation | undefined {
  const [isListening, setListening] = useState(false);
  const recognition = useRef<Recognition>(undefined);
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  // what is still to be understood belongs to no message any more
  useEffect(() => () => recognition.current?.abort(), []);
  const create = constructorOf();
  if (!create) return undefined;
  const start = () => {
    const started = new create();
    started.lang = currentLanguage();
    started.continuous = true;
    started.addEventListener("result", (event) => {
      const text = finalText(event as ResultEvent);
      if (text !== "") newest.current.onText(text);
    });
    started.addEventListener("error", (event) => {
      const { error } = event as Event & { error: string };
      if (error !== "aborted") newest.current.onFailure(error);
    });
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
    .map((result) => result[0]?.transcript.trim());
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
