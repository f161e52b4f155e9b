import { Unplug } from "lucide-react";
import { LOAD_SHARED } from "../../../src/services/completion/contract-load-shared.ts";
import { Fragment, Suspense, useRef, useMemo, useState, useSyncExternalStore } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { CiteCard } from "./cite-card.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { Calls } from "./calls.tsx";
import { Margin } from "./margin.tsx";
import { MessageActions } from "./message-actions.tsx";
import { NotFoundNotice } from "./not-found.tsx";
import { ReplyBy } from "./reply-by.tsx";
import { ReplyUsage } from "./reply-usage.tsx";
import type { ThreadMessage } from "./queries.ts";
import { useLiveReply } from "./replies.ts";
import { usePlace } from "../texts/place.ts";
import { useChatTexts } from "./texts.ts";
import { type OpenedSource, useReplyNotes } from "./use-reply-notes.tsx";
import type { LiveReply } from "./live-reply.ts";
import { toState, type ReplyState } from "./reply-state.ts";
import { type StoredFailure, toReportedFailure, toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import { Loading } from "../ui/loading.tsx";
import { ProblemCard } from "../ui/states.tsx";
import { Link } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { useModels } from "../shell/use-models.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const FeedbackForm = lazyPart(() => import("./feedback-form.tsx"), "FeedbackForm");
const ResearchCard = lazyPart(() => import("./research-card.tsx"), "ResearchCard");
const ReplyLabels = lazyPart(() => import("../shell/labels/label-chip.tsx"), "ReplyLabels");
const PlanCard = lazyPart(() => import("./plan-card.tsx"), "PlanCard");

type Rating = ThreadMessage["reaction"];

interface ReplyMessageProps {
  message: ThreadMessage;
  /** Whether it is the newest message of the branch. */
  isLast: boolean;
  onBranch: (messageId: string) => void;
  onRegenerate?: (() => void) | undefined;
  onReact: (reaction: Rating) => Promise<void>;
  onDecided: () => void;
  onOpenSource: (opened: OpenedSource) => void;
}

/** An answer, with its sources and tool calls in the margin beside it. */
export function ReplyMessage(props: ReplyMessageProps) {
  const { message, isLast, onBranch, onRegenerate, onDecided } = props;
  const texts = useChatTexts();
  const live = useLiveReply(message.id);
  const state = useReplyState(message, live);
  const column = useRef<HTMLDivElement>(null);
  const notes = useReplyNotes(state, message.conversationId, props.onOpenSource);
  const { text } = state;
  const rating = useRating(props);
  // nobody judges what is not finished
  const isWaiting = state.waiting.length > 0;
  const isGrowing = live !== undefined && state.phase !== "ended";
  return (
    <article
      tabIndex={-1}
      aria-label={texts.reply}
      aria-busy={isGrowing}
      className="group relative grid grid-cols-[minmax(0,1fr)] gap-x-10 notes:grid-cols-[minmax(0,1fr)_15.5rem]"
    >
      <div
        ref={column}
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2"
      >
        <ReplyBy message={message} isVisible={isLast} />
        <Reasoning text={state.reasoning} isGrowing={isGrowing && text === ""} />
        {isGrowing && text === "" && state.reasoning === "" && (
          <p className="animate-late animate-pulse text-base text-muted">
            {texts.thinking} …
          </p>
        )}
        {notes.canvases.length > 0 && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm notes:hidden">
            {notes.canvases.map(({ key, content }) => (
              <Fragment key={key}>{content}</Fragment>
            ))}
          </div>
        )}
        {state.research && (
          <Suspense fallback={null}>
            <ResearchCard research={state.research} tools={state.tools} />
          </Suspense>
        )}
        {notes.parts.map((part, index) => (
          <Fragment key={part.at}>
            {part.tools.length > 0 && (
              <Calls part={part} conversationId={message.conversationId} isOpen={isLast} />
            )}
            <Markdown
              text={part.text}
              isGrowing={isGrowing && index === notes.parts.length - 1}
              cites={notes.cites}
              onShown={live?.reportCost}
            />
          </Fragment>
        ))}
        {state.waiting.map((call) => {
          const Card = call.name === "plan_research" ? PlanCard : ApprovalCard;
          return (
            <Suspense key={call.toolCallId} fallback={null}>
              <Card
                conversationId={message.conversationId}
                call={call}
                onDecided={onDecided}
              />
            </Suspense>
          );
        })}
        <ReplyEnd state={state} onRetry={onRegenerate} />
        {state.notFound && state.sources.length === 0 && (
          <NotFoundNotice notFound={state.notFound} onOpen={props.onOpenSource} />
        )}
        <SourceList sources={notes.cited} onOpen={({ index }) => notes.open(index)} />
        {message.labels && (
          <Suspense fallback={null}>
            <ReplyLabels labels={message.labels} />
          </Suspense>
        )}
        {!isGrowing && (
          <div className="-ml-2 flex flex-wrap items-center gap-1">
            <BranchSwitch message={message} onBranch={onBranch} />
            {!isWaiting && (
              <>
                <MessageActions
                  message={rating.message}
                  text={text}
                  cited={notes.cited}
                  isVisible={isLast}
                  onRegenerate={onRegenerate}
                  onReact={rating.rate}
                  reasons={{ isOpen: rating.isAsking, toggle: rating.ask }}
                />
                <ReplyUsage message={message} isVisible={isLast} />
              </>
            )}
          </div>
        )}
        {rating.isAsking && (
          <Suspense fallback={<Loading lines={3} />}>
            <FeedbackForm
              message={message}
              isFirst={rating.isFirst}
              stored={rating.stored}
              onTakeBack={() => void rating.rate(null)}
              onClose={() => rating.ask(false)}
            />
          </Suspense>
        )}
      </div>
      <Margin notes={notes.all} column={column} />
      <CiteCard pointed={notes.pointed} sources={state.sources} text={text} />
    </article>
  );
}

/** The rating, shown before the server has stored it, and the form that asks why it is bad. */
function useRating({ message, onReact }: Pick<ReplyMessageProps, "message" | "onReact">) {
  const [pending, setPending] = useState<{ reaction: Rating }>();
  const [asked, setAsked] = useState<{ isFirst: boolean }>();
  const stored = useRef(Promise.resolve());
  const reaction = pending ? pending.reaction : message.reaction;
  return {
    message: pending ? { ...message, reaction } : message,
    isAsking: asked !== undefined && reaction === "dislike",
    /** Whether there can be no reasons yet. */
    isFirst: asked?.isFirst ?? false,
    /** What the form stores comes after it. */
    stored,
    ask: (isAsking: boolean) =>
      setAsked(isAsking ? { isFirst: message.reaction !== "dislike" } : undefined),
    async rate(next: Rating) {
      setPending({ reaction: next });
      stored.current = onReact(next);
      await stored.current;
      setPending(undefined);
    },
  };
}

interface ReasoningProps {
  text: string;
  /** Whether the model still thinks. */
  isGrowing: boolean;
}

/** What the model thought: expanded while it thinks, then folded above its answer. */
function Reasoning({ text, isGrowing }: ReasoningProps) {
  const texts = useChatTexts();
  if (text === "") return null;
  return (
    <details open={isGrowing} className="min-w-0 text-muted">
      <summary className="min-h-6 pointer-coarse:min-h-11">{texts.reasoning}</summary>
      <div className="mt-1 border-l-2 border-hairline pl-3">
        <Markdown text={text} isGrowing={isGrowing} className="markdown-small" />
      </div>
    </details>
  );
}

interface SourceListProps {
  sources: ThreadMessage["sources"];
  onOpen: (source: ThreadMessage["sources"][number]) => void;
}

/** The cited passages below an answer, where there is no margin, and in print. */
function SourceList({ sources, onOpen }: SourceListProps) {
  const texts = useChatTexts();
  const placeOf = usePlace();
  if (sources.length === 0) return null;
  return (
    <ol
      aria-label={texts.sources(sources.length)}
      className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm notes:hidden"
    >
      {sources.map((source) => (
        <li key={source.index}>
          <button
            type="button"
            onClick={() => onOpen(source)}
            className={
              "flex min-h-8 w-full items-center gap-2 border-l-2 border-hairline-strong px-3 py-1 " +
              "rounded-r-md text-left hover:bg-hover " +
              "pointer-coarse:min-h-11"
            }
          >
            <span className="font-semibold text-accent">{source.index}</span>
            <FileIcon name={source.fileName} isPage={source.url !== undefined} isBare />
            <bdi className="min-w-0 truncate font-medium">{source.fileName}</bdi>
            <bdi className="min-w-0 shrink-2 truncate text-muted empty:hidden">
              {placeOf(source)}
            </bdi>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The stored message, or the one in progress. */
function useReplyState(message: ThreadMessage, live: LiveReply | undefined): ReplyState {
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

interface ReplyEndProps {
  state: ReplyState;
  onRetry?: (() => void) | undefined;
}

/** Explains how an answer ended, if it did not end normally. */
function ReplyEnd({ state, onRetry }: ReplyEndProps) {
  const texts = useChatTexts();
  const { error, phase, finishReason, notFound } = state;
  // the notice that nothing was found names them
  const isNamed = (notFound?.waitingCount ?? 0) > 0;
  const warnings = state.warnings.filter(
    ({ code }) => !isNamed || code !== "documents_not_ready",
  );
  const problem = useErrorText(error && toReportedFailure(error));
  const reasons: Record<string, string> = {
    cancelled: texts.stopped,
    length: texts.cutOff,
    max_iterations: texts.maxIterations,
    budget: texts.budget,
    content_filter: texts.filtered,
  };
  const reason =
    phase === "ended" && !error && finishReason
      ? (reasons[finishReason] ?? (isEmpty(state) ? texts.noText : undefined))
      : undefined;
  return (
    <>
      {warnings.map((warning) => (
        <Warning key={warning.message} warning={warning} />
      ))}
      {state.answeredBy && state.answeredBy.code !== LOAD_SHARED && (
        <AnsweredBy by={state.answeredBy} />
      )}
      {phase === "reattaching" && (
        <p role="status" className="text-xs text-muted">
          {texts.reattaching}
        </p>
      )}
      {reason && <p className="text-xs text-muted">{reason}</p>}
      {error && (
        <ProblemCard icon={Unplug} text={problem} onRetry={onRetry}>
          {state.text !== "" && texts.kept}
        </ProblemCard>
      )}
    </>
  );
}

/** Says who answered in the place of whom. */
function AnsweredBy({ by }: { by: NonNullable<ReplyState["answeredBy"]> }) {
  const texts = useChatTexts();
  const asked = useModels()?.find(({ id }) => id === by.insteadOf);
  const isSpent = by.code === "budget_exceeded";
  const say = isSpent ? texts.answeredWithinBudget : texts.answeredBy;
  return (
    <p className="text-xs text-muted">{say(by.name, asked?.displayName ?? by.insteadOf)}</p>
  );
}

/** Whether an answer that ended has nothing to show. */
function isEmpty({ text, waiting, canvases }: ReplyState): boolean {
  return text.trim() === "" && waiting.length === 0 && canvases.length === 0;
}

function Warning({ warning }: { warning: StoredFailure }) {
  const text = useErrorText(toStoredFailure(warning));
  const texts = useChatTexts();
  const mayMend = usePermission("tool:administer");
  const isEngine = warning.code === "web_search_not_set_up";
  return (
    <p className="text-xs text-warn">
      {mayMend && isEngine ? (
        <>
          {texts.noEngine}{" "}
          <Link to="/admin/web-search" className="underline">
            {texts.addEngine}
          </Link>
        </>
      ) : (
        text
      )}
    </p>
  );
}
