import { useState } from "react";
import { join } from "../ui/join.ts";
import type { FrameAnswer, ResultKind } from "./frame-messages.ts";
import { SandboxedFrame } from "./sandboxed-frame.tsx";
import { useMarkdownTexts } from "./texts.ts";
import { useIsDark } from "./use-is-dark.ts";

/** The words are those of code that anybody may have written. */
const MAX_MESSAGE_CHARACTERS = 200;

interface CodeResultProps {
  kind: ResultKind;
  source: string;
}

/** What code in an answer makes: in a frame without an origin and without a network. */
export function CodeResult({ kind, source }: CodeResultProps) {
  const isDark = useIsDark();
  return <Ran key={`${isDark} ${source}`} kind={kind} source={source} isDark={isDark} />;
}

function Ran({ kind, source, isDark }: CodeResultProps & { isDark: boolean }) {
  const texts = useMarkdownTexts();
  const [failure, setFailure] = useState<string>();
  const [request] = useState(() => ({ kind, source, isDark }));
  const onAnswer = (answer: FrameAnswer | null) => {
    // the code in the frame can send anything
    if (answer?.type !== "failed" || typeof answer.message !== "string") return;
    const { message } = answer;
    setFailure((first) => first ?? message.slice(0, MAX_MESSAGE_CHARACTERS));
  };
  return (
    <>
      <SandboxedFrame
        address="/frame/result.html"
        title={texts.result}
        request={request}
        onAnswer={onAnswer}
        className={join(
          "block h-80 w-full resize-y border-0",
          // a page that says nothing of its ground is written for white
          kind === "html" ? "bg-white" : "bg-page",
        )}
      />
      {failure !== undefined && (
        <p role="status" className="border-t border-hairline px-3 py-1.5 text-sm text-warn">
          <bdi className="wrap-anywhere">{failure}</bdi>
        </p>
      )}
    </>
  );
}
