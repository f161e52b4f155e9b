import {
  type RefObject,
  Suspense,
  useRef,
  useState,
  useEffect,
  useSyncExternalStore,
} from "react";
import type { Conversation as StoredConversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { newId } from "../api/new-id.ts";
import type { DraftFile } from "../shell/drafts.ts";
import { MAX_FILES } from "./use-attachments.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { join } from "../ui/join.ts";
import { Loading } from "../ui/loading.tsx";
import { useKeys } from "../shell/keys.ts";
import { TypedAhead } from "../shell/typed-ahead.tsx";
import { useWhenIdle } from "../shell/use-when-idle.ts";
import { Composer } from "./composer.tsx";
import { useOutgoing } from "./outgoing.ts";
import { Picker } from "./picker.tsx";
import type { ThreadHandle } from "./thread-view.tsx";
import type { ThreadMessage } from "./queries.ts";
import { StartHead } from "./start.tsx";
import type { OpenedSource } from "./use-reply-notes.tsx";
import { useChatTexts } from "./texts.ts";
import { type ConversationActions, useConversation } from "./use-conversation.ts";
import { toPlainText } from "../markdown/plain-text.ts";
import type { LiveReply } from "./live-reply.ts";
import { nextSentences } from "./next-sentences.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { scrollbarWidth } from "../ui/scrollbar-width.ts";

// not needed before the first message
const Thread = lazyPart(() => import("./thread.tsx"), "Thread");
const BudgetNotice = lazyPart(() => import("./budget-notice.tsx"), "BudgetNotice");
const StartMore = lazyPart(() => import("./start-more.tsx"), "StartMore");
const Header = lazyPart(() => import("./header.tsx"), "Header");
const FindBar = lazyPart(() => import("./find-bar.tsx"), "FindBar");
const Switches = lazyPart(() => import("./switches.tsx"), "Switches");
const WebNotice = lazyPart(() => import("./switches.tsx"), "WebNotice");
const ContextMeter = lazyPart(() => import("./context-meter.tsx"), "ContextMeter");
const ImageNotice = lazyPart(() => import("./image-notice.tsx"), "ImageNotice");
const Passage = lazyPart(() => import("../documents/passage.tsx"), "Passage");

interface ConversationProps {
  /** Absent: it has not begun. */
  stored?: StoredConversation;
  /** The canvas that is open beside it. */
  canvasId?: string | undefined;
  /** Of the branch that is shown, the oldest first. */
  messages: readonly ThreadMessage[];
  /** Shows the branch of another message; `undefined`: of the newest. */
  onBranch?: (messageId: string | undefined) => void;
  /** Present while older messages can be loaded. */
  loadOlder?: (() => void) | undefined;
  /** Whether there are messages that are not loaded. */
  hasOlder?: boolean;
}

/** The thread and the composer. */
export function Conversation(props: ConversationProps) {
  const { stored, canvasId, messages, onBranch = ignore, loadOlder } = props;
  const { hasOlder = false } = props;
  const conversationKey = stored?.id ?? "new";
  const outgoing = useOutgoing(conversationKey);
  const thread = useRef<ThreadHandle>(null);
  const { editing, setEditing, editLast } = useEditing(thread, messages);
  const [opened, setOpened] = useState<OpenedSource>();
  const isEmpty = messages.length + outgoing.length === 0;
  const actions = useConversation({ conversationKey, canvasId, messages, onBranch });
  const { agentId } = actions.choice.shown;
  const start = (text: string) => actions.changeDraft({ text });
  const chooseAgent = (id: string) =>
    actions.choice.choose({ ...actions.choice.shown, agentId: id });
  const [isIdle, setIdle] = useState(false);
  // first comes what is needed to write
  useWhenIdle(() => {
    setIdle(true);
    return Thread.preload?.();
  });
  useThreadKeys(thread, messages.length);
  return (
    <div className="flex h-full">
      <div
        className={join(
          "chat @container relative flex h-full min-w-0 flex-1 flex-col",
          messages.some(hasNotes) && "with-notes",
          isEmpty && "overflow-x-hidden overflow-y-auto",
        )}
      >
        <Top
          thread={thread}
          stored={stored}
          messages={messages}
          loadOlder={loadOlder}
          hasOlder={hasOlder}
        />
        {isEmpty ? (
          <StartHead agentId={agentId} />
        ) : (
          <Suspense
            fallback={<Loading shape="thread" className="min-h-0 flex-1 overflow-hidden" />}
          >
            <Thread
              ref={thread}
              messages={messages}
              outgoing={outgoing}
              actions={actions}
              editing={editing}
              onEdit={setEditing}
              onBranch={onBranch}
              onOpenSource={setOpened}
              loadOlder={loadOlder}
            />
          </Suspense>
        )}
        {/* as far from the edges as the text, which has a scrollbar and its like beside it */}
        <div style={isEmpty ? undefined : { paddingInline: scrollbarWidth() }}>
          <Writing
            isIdle={isIdle}
            conversationKey={conversationKey}
            actions={actions}
            hasMargin={!isEmpty}
            seesCanvas={canvasId !== undefined}
            onEditLast={editLast}
            last={messages.at(-1)}
          />
        </div>
        {isEmpty && isIdle && (
          <Suspense fallback={null}>
            <StartMore agentId={agentId} onStarter={start} onAgent={chooseAgent} />
          </Suspense>
        )}
      </div>
      <Suspense fallback={null}>
        {opened && (
          <OpenPassage
            opened={opened}
            isOver={canvasId !== undefined}
            onOpen={setOpened}
            onAsk={(file, words) => {
              actions.changeDraft(({ text, files }) => ({
                text: text.trim() === "" ? words : text,
                files: withFile(files, file),
              }));
              focusComposer();
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

interface TopProps extends Pick<ConversationProps, "messages" | "loadOlder"> {
  thread: RefObject<ThreadHandle | null>;
  stored: StoredConversation | undefined;
  hasOlder: boolean;
}

interface OpenPassageProps {
  opened: OpenedSource;
  isOver: boolean;
  onOpen: (opened: OpenedSource | undefined) => void;
  /** Attaches the document to the next message, and begins it with these words. */
  onAsk: (file: Omit<DraftFile, "key">, words: string) => void;
}

/** The source that is open beside the chat, with the others of its answer as tabs. */
function OpenPassage({ opened, isOver, onOpen, onAsk }: OpenPassageProps) {
  const { index, beside } = opened;
  const texts = useChatTexts();
  const shown = beside.find(({ source }) => source.index === index);
  if (!shown) return null;
  return (
    <Passage
      {...shown}
      tabs={beside.map(({ source }) => ({
        index: source.index,
        isOpen: source.index === index,
        label: texts.source(source.index, source.fileName),
        onOpen: () => onOpen({ index: source.index, beside }),
      }))}
      onAsk={(file, page) =>
        onAsk(file, page === undefined ? "" : texts.askAboutPage(page, file.name))
      }
      isOver={isOver}
      onClose={() => onOpen(undefined)}
    />
  );
}

function withFile(files: readonly DraftFile[], file: Omit<DraftFile, "key">): DraftFile[] {
  const isThere = files.some(({ documentId }) => documentId === file.documentId);
  return isThere || files.length >= MAX_FILES
    ? [...files]
    : [...files, { ...file, key: newId() }];
}

/** Where the panel covers the chat it has closed by then. */
function focusComposer(): void {
  setTimeout(() => {
    const input = document.querySelector<HTMLTextAreaElement>(".chat form textarea");
    input?.focus();
    input?.setSelectionRange(input.value.length, input.value.length);
  });
}

/** Whether an answer has something in the margin beside it. */
function hasNotes({ sources, toolCalls, canvases }: ThreadMessage): boolean {
  const isCited = sources.some(({ cited }) => cited);
  return isCited || toolCalls.length + canvases.length > 0;
}

/** The title, and the search in the conversation once it is asked for. */
function Top({ thread, stored, messages, loadOlder, hasOlder }: TopProps) {
  const { find: wanted } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [isFinding, setFinding] = useState(wanted !== undefined);
  const typed = useRef("");
  const find = () => setFinding(true);
  const close = () => {
    setFinding(false);
    if (wanted !== undefined) void navigate({ to: ".", search: {}, replace: true });
  };
  useKeys({ "mod+f": find });
  return (
    <>
      <Suspense fallback={null}>
        {stored && (
          <Header
            conversation={stored}
            isLabelled={messages.some(({ labels }) => labels)}
            onFind={find}
          />
        )}
      </Suspense>
      <Suspense fallback={isFinding && <TypedAhead typed={typed} />}>
        {isFinding && (
          <FindBar
            typed={typed}
            messages={messages}
            scrollTo={(index) => thread.current?.scrollTo(index)}
            firstVisible={() => thread.current?.firstVisible() ?? 0}
            loadOlder={loadOlder}
            hasOlder={hasOlder}
            wanted={wanted}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

interface WritingProps {
  /** Whether what is needed to write is there. */
  isIdle: boolean;
  conversationKey: string;
  actions: ConversationActions;
  hasMargin: boolean;
  seesCanvas: boolean;
  onEditLast: () => void;
  /** The newest message of the branch. */
  last: ThreadMessage | undefined;
}

const NO_TOOLS: readonly string[] = [];

/** The composer, with what the writer should know. */
function Writing(props: WritingProps) {
  const { isIdle, conversationKey, actions, hasMargin, seesCanvas, onEditLast, last } =
    props;
  const texts = useChatTexts();
  const { choice, draft, running } = actions;
  const { tools = NO_TOOLS } = choice.shown;
  return (
    <>
      {seesCanvas && (
        <p className="mx-auto w-full max-w-measure px-4 pb-1 text-xs text-muted print:hidden">
          {texts.seesCanvas}
        </p>
      )}
      <Announcer running={running} />
      <Suspense fallback={null}>
        {isIdle && last && <ContextMeter last={last} />}
        {isIdle && <BudgetNotice isWriting={draft.text !== ""} />}
        {draft.files.length > 0 && (
          <ImageNotice files={draft.files} choice={choice.shown} />
        )}
        {isIdle && !choice.shown.agentId && tools.includes("toolset:web") && <WebNotice />}
      </Suspense>
      <Composer
        key={conversationKey}
        draft={draft}
        hasMargin={hasMargin}
        change={actions.changeDraft}
        onSend={(message) => void actions.send(message)}
        onStop={actions.stop}
        onEditLast={onEditLast}
        onAgent={(agentId) => choice.choose({ ...choice.shown, agentId })}
        switches={
          isIdle &&
          !choice.shown.agentId && (
            <Suspense fallback={null}>
              <Switches tools={tools} onChange={choice.use} />
            </Suspense>
          )
        }
        picker={<Picker choice={choice.shown} onChoose={choice.choose} />}
      />
    </>
  );
}

/** Which message is edited, and a way to edit the user's last one. */
function useEditing(
  thread: RefObject<ThreadHandle | null>,
  messages: readonly ThreadMessage[],
) {
  const [editing, setEditing] = useState<string>();
  const editLast = () => {
    const index = messages.findLastIndex(({ role }) => role === "user");
    setEditing(messages[index]?.id);
    if (index >= 0) thread.current?.scrollTo(index);
  };
  return { editing, setEditing, editLast };
}

/** `j` and `k` go to the next message and to the one before. */
function useThreadKeys(thread: RefObject<ThreadHandle | null>, count: number): void {
  const step = (by: number) => {
    const at = thread.current?.firstVisible() ?? 0;
    const next = Math.max(0, Math.min(count - 1, at + by));
    thread.current?.scrollTo(next);
    thread.current?.focus(next);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
}

/** A conversation that has not begun has no branches. */
function ignore(): void {}

/** Reads an answer to screen readers by whole sentences, without interrupting them. */
function Announcer({ running }: { running: LiveReply | undefined }) {
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
