import { Fragment, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { CanvasNote } from "./canvas-note.tsx";
import { Margin, type Note } from "./margin.tsx";
import { MessageActions } from "./message-actions.tsx";
import { Reasoning } from "./reasoning.tsx";
import { useLiveReply } from "./replies.ts";
import { ReplyEnd } from "./reply-end.tsx";
import { NEW_REPLY, type ReplyState, type WrittenCanvas } from "./reply-state.ts";
import { SourceList } from "./source-list.tsx";
import { citedIndexes, sentenceCiting } from "./citations.ts";
import { SourceNote } from "./source-note.tsx";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";
import { ToolNote } from "./tool-note.tsx";

interface ReplyMessageProps {
  message: ThreadMessage;
  onBranch: (messageId: string) => void;
  onRegenerate?: (() => void) | undefined;
  onReact: (reaction: "like" | "dislike" | null) => void;
  onDecided: () => void;
  onOpenSource: (source: ThreadMessage["sources"][number], said?: string) => void;
}

/** An answer, with its sources and tool calls in the margin beside it. */
export function ReplyMessage(props: ReplyMessageProps) {
  const { message, onBranch, onRegenerate, onReact, onDecided, onOpenSource } = props;
  const texts = useChatTexts();
  const live = useLiveReply(message.id);
  const state = useReplyState(message);
  const [pointedAt, pointAt] = useState<number>();
  const column = useRef<HTMLDivElement>(null);
  const { sources, text } = state;
  const cites = useMemo(() => {
    const find = (index: number) => sources.find((source) => source.index === index);
    return {
      has: (index: number) => find(index) !== undefined,
      label: (index: number) => texts.source(index, find(index)?.fileName ?? ""),
      onOpen(index: number) {
        const source = find(index);
        if (source) onOpenSource(source, sentenceCiting(text, index));
      },
      onPoint: pointAt,
    };
  }, [sources, text, texts, onOpenSource]);
  const isGrowing = live !== undefined && state.phase !== "ended";
  const cited = useMemo(() => citedSources(text, sources), [text, sources]);
  const canvases = newestOfEach(state.canvases).map((canvas) => ({
    key: `canvas-${canvas.canvasId}`,
    content: <CanvasNote canvas={canvas} conversationId={message.conversationId} />,
  }));
  const notes: Note[] = [
    ...canvases,
    ...state.tools.map((tool) => ({
      key: tool.toolCallId,
      content: <ToolNote tool={tool} />,
    })),
    ...cited.map((source) => ({
      key: `source-${source.index}`,
      cite: source.index,
      content: (
        <SourceNote
          source={source}
          isPointedAt={source.index === pointedAt}
          onOpen={() => cites.onOpen(source.index)}
        />
      ),
    })),
  ];
  return (
    <article
      aria-label={texts.reply}
      aria-busy={isGrowing}
      className="group grid grid-cols-[minmax(0,1fr)] gap-x-8 @5xl:grid-cols-[minmax(0,1fr)_15rem]"
    >
      <div ref={column} className="grid min-w-0 content-start gap-2">
        <Reasoning text={state.reasoning} isOpen={isGrowing && text === ""} />
        {isGrowing && text === "" && state.reasoning === "" && (
          <p className="animate-late animate-pulse text-muted">{texts.thinking} …</p>
        )}
        {state.tools.length + canvases.length > 0 && (
          <div className="grid gap-1 text-xs @5xl:hidden">
            {canvases.map(({ key, content }) => (
              <Fragment key={key}>{content}</Fragment>
            ))}
            {state.tools.map((tool) => (
              <ToolNote key={tool.toolCallId} tool={tool} />
            ))}
          </div>
        )}
        <Markdown
          text={text}
          isGrowing={isGrowing}
          cites={sources.length > 0 ? cites : undefined}
          onShown={live?.reportCost}
        />
        {state.waiting.map((call) => (
          <ApprovalCard
            key={call.toolCallId}
            conversationId={message.conversationId}
            call={call}
            onDecided={onDecided}
          />
        ))}
        <ReplyEnd state={state} onRetry={onRegenerate} />
        <SourceList sources={cited} onOpen={({ index }) => cites.onOpen(index)} />
        {!isGrowing && (
          <div className="-ml-2 flex items-center gap-1">
            <BranchSwitch message={message} onBranch={onBranch} />
            <MessageActions
              message={message}
              onRegenerate={onRegenerate}
              onReact={onReact}
            />
          </div>
        )}
      </div>
      <Margin notes={notes} column={column} />
    </article>
  );
}

/** The stored message, or the one in progress. */
function useReplyState(message: ThreadMessage): ReplyState {
  const live = useLiveReply(message.id);
  const stored = useMemo(() => toState(message), [message]);
  const growing = useSyncExternalStore(
    live?.subscribe ?? neverChanges,
    live?.snapshot ?? (() => undefined),
  );
  if (!growing) return stored;
  // until the first events come after a reload, what is stored is shown
  const isBehind =
    growing.phase === "connecting" && growing.text.length < stored.text.length;
  return isBehind ? { ...stored, phase: "connecting" } : growing;
}

function neverChanges(): () => void {
  return () => {};
}

function toState(message: ThreadMessage): ReplyState {
  return {
    ...NEW_REPLY,
    phase: message.status === "streaming" ? "connecting" : "ended",
    text: message.content,
    tools: message.toolCalls,
    sources: message.sources,
    canvases: message.canvases,
    waiting: message.waiting,
    error: message.error ?? undefined,
    finishReason:
      message.status === "stopped" ? "cancelled" : (message.finishReason ?? undefined),
  };
}

/** The sources that a text cites, in the order of their first citation. */
function citedSources(
  text: string,
  sources: ThreadMessage["sources"],
): ThreadMessage["sources"] {
  if (sources.length === 0) return [];
  return citedIndexes(text).flatMap(
    (index) => sources.find((one) => one.index === index) ?? [],
  );
}

/** A reply may write several versions of a canvas: the last one counts. */
function newestOfEach(canvases: readonly WrittenCanvas[]): WrittenCanvas[] {
  return [...new Map(canvases.map((canvas) => [canvas.canvasId, canvas])).values()];
}
