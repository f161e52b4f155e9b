import { Fragment, useRef } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { Margin } from "./margin.tsx";
import { MessageActions } from "./message-actions.tsx";
import type { ThreadMessage } from "./queries.ts";
import { Reasoning } from "./reasoning.tsx";
import { useLiveReply } from "./replies.ts";
import { ReplyEnd } from "./reply-end.tsx";
import { SourceList } from "./source-list.tsx";
import { useChatTexts } from "./texts.ts";
import { useReplyNotes } from "./use-reply-notes.tsx";
import { useReplyState } from "./use-reply-state.ts";

interface ReplyMessageProps {
  message: ThreadMessage;
  /** Whether it is the newest message of the branch. */
  isLast: boolean;
  onBranch: (messageId: string) => void;
  onRegenerate?: (() => void) | undefined;
  onReact: (reaction: "like" | "dislike" | null) => void;
  onDecided: () => void;
  onOpenSource: (source: ThreadMessage["sources"][number], said?: string) => void;
}

/** An answer, with its sources and tool calls in the margin beside it. */
export function ReplyMessage(props: ReplyMessageProps) {
  const { message, isLast, onBranch, onRegenerate, onReact, onDecided } = props;
  const texts = useChatTexts();
  const live = useLiveReply(message.id);
  const state = useReplyState(message, live);
  const column = useRef<HTMLDivElement>(null);
  const notes = useReplyNotes(state, message.conversationId, props.onOpenSource);
  const { text } = state;
  const isGrowing = live !== undefined && state.phase !== "ended";
  return (
    <article
      aria-label={texts.reply}
      aria-busy={isGrowing}
      className="group grid grid-cols-[minmax(0,1fr)] gap-x-8 @5xl:grid-cols-[minmax(0,1fr)_15rem]"
    >
      <div ref={column} className="grid min-w-0 content-start gap-2">
        <Reasoning text={state.reasoning} isGrowing={isGrowing && text === ""} />
        {isGrowing && text === "" && state.reasoning === "" && (
          <p className="animate-late animate-pulse text-muted">{texts.thinking} …</p>
        )}
        {notes.done.length > 0 && (
          <div className="grid gap-1 text-xs @5xl:hidden">
            {notes.done.map(({ key, content }) => (
              <Fragment key={key}>{content}</Fragment>
            ))}
          </div>
        )}
        <Markdown
          text={text}
          isGrowing={isGrowing}
          cites={notes.cites}
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
        <SourceList sources={notes.cited} onOpen={({ index }) => notes.open(index)} />
        {!isGrowing && (
          <div className="-ml-2 flex items-center gap-1">
            <BranchSwitch message={message} onBranch={onBranch} />
            <MessageActions
              message={message}
              isVisible={isLast}
              onRegenerate={onRegenerate}
              onReact={onReact}
            />
          </div>
        )}
      </div>
      <Margin notes={notes.all} column={column} />
    </article>
  );
}
