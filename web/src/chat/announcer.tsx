import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { toPlainText } from "../markdown/plain-text.ts";
import type { LiveReply } from "./live-reply.ts";
import { nextSentences } from "./next-sentences.ts";

/** Reads an answer to screen readers by whole sentences, without interrupting them. */
export function Announcer({ running }: { running: LiveReply | undefined }) {
  const text = useSyncExternalStore(
    running?.subscribe ?? neverChanges,
    () => running?.snapshot().text ?? "",
  );
  const isEnded = running?.hasEnded ?? true;
  const said = useRef(0);
  const [announced, announce] = useState("");
  useEffect(() => {
    said.current = 0;
  }, [running]);
  useEffect(() => {
    const sentences = nextSentences(text, said.current, isEnded);
    if (sentences === "") return;
    said.current += sentences.length;
    announce(toPlainText(sentences));
  }, [text, isEnded]);
  return (
    <div role="status" className="sr-only">
      {announced}
    </div>
  );
}

function neverChanges(): () => void {
  return () => {};
}
