import { useState } from "react";
import { useIsDark } from "../markdown/use-is-dark.ts";
import { SandboxedFrame } from "../markdown/sandboxed-frame.tsx";
import type { FrameAnswer, ResultKind } from "../markdown/frame-messages.ts";
import { askConversation } from "../shell/asked-messages.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/join.ts";
import { notify } from "../ui/notices.tsx";
import type { StoredCanvas } from "./queries.ts";
import { useCanvasTexts } from "./texts.ts";

const MAX_FAILURES = 5;
/** The words are those of code that anybody may have written, and the model reads them. */
const MAX_MESSAGE_CHARACTERS = 200;

interface ResultProps {
  canvas: StoredCanvas;
  kind: ResultKind;
}

/** What a canvas makes when it runs: in a frame without an origin and without a network. */
export function Result({ canvas, kind }: ResultProps) {
  const isDark = useIsDark();
  // another version is another frame, and its failures are its own; so is another theme
  const key = `${canvas.id} ${canvas.version} ${isDark}`;
  return <Ran key={key} canvas={canvas} kind={kind} isDark={isDark} />;
}

function Ran({ canvas, kind, isDark }: ResultProps & { isDark: boolean }) {
  const texts = useCanvasTexts();
  const { title, version, content, conversationId } = canvas;
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [request] = useState(() => ({ kind, source: content, isDark }));
  const onAnswer = (answer: FrameAnswer | null) => {
    // the code in the frame can send anything
    if (answer?.type !== "failed" || typeof answer.message !== "string") return;
    const message = answer.message.replace(/\s+/g, " ").slice(0, MAX_MESSAGE_CHARACTERS);
    setFailures((before) =>
      before.length >= MAX_FAILURES || before.includes(message)
        ? before
        : [...before, message],
    );
  };
  const fix = () => {
    if (conversationId === null) return;
    const isSent = askConversation(conversationId, texts.fixIt(title, version, failures));
    if (!isSent) notify(texts.openChat);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {failures.length > 0 && (
        <div role="status" className="grid gap-2 bg-sunken px-4 py-2 md:px-6">
          <p className="font-medium">{texts.fails}</p>
          <ul className="max-h-32 overflow-y-auto font-mono text-xs">
            {failures.map((message) => (
              <li key={message} className="break-words">
                <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
          {conversationId !== null && (
            <span>
              <Button onClick={fix}>{texts.fix}</Button>
            </span>
          )}
        </div>
      )}
      <SandboxedFrame
        address="/frame/result.html"
        title={texts.resultOf(title)}
        request={request}
        onAnswer={onAnswer}
        // a page that says nothing of its ground is written for white
        className={join("min-h-64 w-full flex-1", kind === "html" ? "bg-white" : "bg-page")}
      />
    </div>
  );
}
