import { Mic } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { toFailure } from "../api/failure.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { type Recording, startRecording } from "./record.ts";
import { transcribe } from "./sound-queries.ts";
import { useChatTexts } from "./texts.ts";

export interface DictateButtonProps {
  /** Takes what the user dictates. */
  onText: (text: string) => void;
  onEnd: () => void;
}

type State = "idle" | "recording" | "writing";

/** Records what the user says, and has a model of the server write it down. */
export function RecordButton({ onText, onEnd }: DictateButtonProps) {
  const texts = useChatTexts();
  const [state, setState] = useState<State>("idle");
  const recording = useRef<Recording>(undefined);
  const leaving = useRef<AbortController>(undefined);
  const newest = useRef(onText);
  useEffect(() => {
    newest.current = onText;
  });
  // what was said belongs to no message any more
  useEffect(() => () => leaving.current?.abort(), []);

  const start = async () => {
    const { signal } = (leaving.current = new AbortController());
    setState("recording");
    try {
      recording.current = await startRecording(signal);
      const file = await recording.current.file;
      signal.throwIfAborted();
      setState("writing");
      const text = await transcribe(file, signal);
      if (text === "") notify(texts.dictationFailures["no-speech"]);
      else newest.current(text);
    } catch (error) {
      if (!signal.aborted) say(error);
    } finally {
      if (!signal.aborted) setState("idle");
    }
  };
  const say = (error: unknown) => {
    const name = error instanceof DOMException ? error.name : "";
    const reason = REASONS[name];
    if (reason) notify(texts.dictationFailures[reason]);
    else notifyFailure(toFailure(error));
  };
  const labels = {
    idle: texts.dictate,
    recording: texts.stopDictating,
    writing: texts.writing,
  };
  return (
    <IconButton
      icon={Mic}
      label={labels[state]}
      pressed={state === "recording"}
      aria-busy={state === "writing"}
      aria-disabled={state === "writing"}
      onClick={() => {
        if (state === "idle") void start();
        if (state !== "recording") return;
        recording.current?.stop();
        onEnd();
      }}
    />
  );
}

/** Names of what a browser throws, as the texts name them. */
const REASONS: Record<string, "not-allowed" | "audio-capture" | undefined> = {
  NotAllowedError: "not-allowed",
  NotFoundError: "audio-capture",
  NotReadableError: "audio-capture",
};
