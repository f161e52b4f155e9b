import { ArrowUp, Mic, Plus, Square } from "lucide-react";
import { type ReactNode, useRef, useEffect, useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { notify } from "../ui/notices.tsx";
import { useChatTexts } from "./texts.ts";
import { currentLanguage } from "../texts/language.ts";

interface ComposerButtonsProps {
  onFiles: (files: readonly File[]) => void;
  /** Takes what the user dictates. */
  onText: (text: string) => void;
  /** What was dictated can be read, changed and sent. */
  onTextEnd: () => void;
  /** Stops the answer in progress; absent while there is none. */
  onStop: (() => void) | undefined;
  canSend: boolean;
  /** What the model may use; absent where an agent decides. */
  switches: ReactNode;
  /** The choice of who answers, beside the buttons. */
  picker: ReactNode;
}

/** The row below the text: files, switches, dictation, who answers, and send or stop. */
export function ComposerButtons(props: ComposerButtonsProps) {
  const { onFiles, onText, onTextEnd, onStop, canSend, switches, picker } = props;
  const texts = useChatTexts();
  const failures: Record<string, string> = texts.dictationFailures;
  const dictation = useDictation({
    onText,
    onFailure: (reason) => notify(failures[reason] ?? texts.dictationFailed),
  });
  return (
    <div className="@container flex items-center gap-0.5 px-2 pb-2">
      <AttachButton onFiles={onFiles} />
      {switches}
      <div className="flex min-w-0 flex-1 justify-end">{picker}</div>
      {dictation && <DictateButton dictation={dictation} onEnd={onTextEnd} />}
      {onStop ? (
        <IconButton
          icon={Square}
          label={texts.stop}
          onClick={onStop}
          className={`${ROUND} bg-ink text-page hover:bg-ink hover:text-page [&_svg]:size-3.5 [&_svg]:fill-current`}
        />
      ) : (
        <IconButton
          icon={ArrowUp}
          label={texts.send}
          type="submit"
          disabled={!canSend}
          className={
            `${ROUND} bg-accent text-on-accent hover:bg-accent-strong hover:text-on-accent ` +
            "disabled:bg-sunken disabled:text-muted disabled:opacity-100"
          }
        />
      )}
    </div>
  );
}

/** The one button of the composer that is filled. */
const ROUND = "ml-1 size-9! rounded-full! pointer-coarse:size-11!";

function AttachButton({ onFiles }: Pick<ComposerButtonsProps, "onFiles">) {
  const texts = useChatTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton
        icon={Plus}
        className="rounded-full!"
        label={texts.attach}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface DictateButtonProps {
  dictation: Dictation;
  onEnd: () => void;
}

function DictateButton({ dictation, onEnd }: DictateButtonProps) {
  const texts = useChatTexts();
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
