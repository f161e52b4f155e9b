import { lazy, type RefObject, Suspense, useCallback, useRef, useState } from "react";
import type { Conversation as StoredConversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { join } from "../ui/join.ts";
import { Loading } from "../ui/states.tsx";
import { useKeys } from "../shell/keys.ts";
import { useWhenIdle } from "../shell/use-when-idle.ts";
import type { PassageSource } from "../documents/passage.tsx";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { useOutgoing } from "./outgoing.ts";
import { Picker } from "./picker.tsx";
import { Start } from "./start.tsx";
import type { ThreadHandle } from "./thread-view.tsx";
import type { ThreadMessage } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { type ConversationActions, useConversation } from "./use-conversation.ts";

// not needed before the first message
const loadThread = () => import("./thread.tsx");
const Thread = lazy(async () => ({ default: (await loadThread()).Thread }));
const BudgetNotice = lazy(async () => ({
  default: (await import("./budget-notice.tsx")).BudgetNotice,
}));
const Header = lazy(async () => ({ default: (await import("./header.tsx")).Header }));
const FindBar = lazy(async () => ({ default: (await import("./find-bar.tsx")).FindBar }));
const Passage = lazy(async () => ({
  default: (await import("../documents/passage.tsx")).Passage,
}));

interface ConversationProps {
  /** Absent: it has not begun. */
  stored?: StoredConversation;
  /** The canvas that is open beside it. */
  canvasId?: string | undefined;
  /** Of the branch that is shown, the oldest first. */
  messages: readonly ThreadMessage[];
  /** Shows the branch of another message; `undefined`: of the newest. */
  onBranch?: (messageId: string | undefined) => void;
  /** Present while there are older messages. */
  loadOlder?: (() => void) | undefined;
}

/** A source that is shown, with the sentence that cites it. */
interface OpenPassage {
  source: PassageSource;
  said?: string | undefined;
}

/** The thread and the composer. */
export function Conversation(props: ConversationProps) {
  const { stored, canvasId, messages, onBranch = ignore, loadOlder } = props;
  const conversationKey = stored?.id ?? "new";
  const outgoing = useOutgoing(conversationKey);
  const thread = useRef<ThreadHandle>(null);
  const { editing, setEditing, editLast } = useEditing(thread, messages);
  const [passage, setPassage] = useState<OpenPassage>();
  const isEmpty = messages.length + outgoing.length === 0;
  const actions = useConversation({ conversationKey, canvasId, messages, onBranch });
  const openSource = useCallback(
    (source: PassageSource, said?: string) => setPassage({ source, said }),
    [],
  );
  useWhenIdle(loadThread);
  useThreadKeys(thread, messages.length);
  return (
    <div
      className={join(
        "@container relative flex h-full flex-col",
        isEmpty && "md:justify-center md:pb-[16dvh]",
      )}
    >
      <Top thread={thread} stored={stored} messages={messages} loadOlder={loadOlder} />
      {isEmpty ? (
        <Start
          agentId={actions.choice.shown.agentId}
          onStarter={(text) => actions.changeDraft({ text })}
        />
      ) : (
        <Suspense
          fallback={<Loading className="mx-auto w-full max-w-measure flex-1 pt-16" />}
        >
          <Thread
            ref={thread}
            messages={messages}
            outgoing={outgoing}
            actions={actions}
            editing={editing}
            onEdit={setEditing}
            onBranch={onBranch}
            onOpenSource={openSource}
            loadOlder={loadOlder}
          />
        </Suspense>
      )}
      <Writing
        conversationKey={conversationKey}
        actions={actions}
        hasMargin={!isEmpty}
        seesCanvas={canvasId !== undefined}
        onEditLast={editLast}
      />
      <Suspense fallback={null}>
        {passage && <Passage {...passage} onClose={() => setPassage(undefined)} />}
      </Suspense>
    </div>
  );
}

interface TopProps extends Pick<ConversationProps, "messages" | "loadOlder"> {
  thread: RefObject<ThreadHandle | null>;
  stored: StoredConversation | undefined;
}

/** The title, and the search in the conversation once it is asked for. */
function Top({ thread, stored, messages, loadOlder }: TopProps) {
  const [isFinding, setFinding] = useState(false);
  const find = () => setFinding(true);
  useKeys({ "mod+f": find });
  return (
    <>
      <Suspense fallback={null}>
        {stored && <Header conversation={stored} onFind={find} />}
      </Suspense>
      <Suspense fallback={null}>
        {isFinding && (
          <FindBar
            messages={messages}
            scrollTo={(index) => thread.current?.scrollTo(index)}
            loadOlder={loadOlder}
            onClose={() => setFinding(false)}
          />
        )}
      </Suspense>
    </>
  );
}

interface WritingProps {
  conversationKey: string;
  actions: ConversationActions;
  hasMargin: boolean;
  seesCanvas: boolean;
  onEditLast: () => void;
}

/** The composer, with what the writer should know. */
function Writing(props: WritingProps) {
  const { conversationKey, actions, hasMargin, seesCanvas, onEditLast } = props;
  const texts = useChatTexts();
  const { choice, draft, running } = actions;
  return (
    <>
      {seesCanvas && (
        <p className="mx-auto w-full max-w-measure px-4 pb-1 text-xs text-muted print:hidden">
          {texts.seesCanvas}
        </p>
      )}
      <Announcer running={running} />
      <Suspense fallback={null}>
        <BudgetNotice isWriting={draft.text !== ""} />
      </Suspense>
      <Composer
        key={conversationKey}
        draft={draft}
        hasMargin={hasMargin}
        change={actions.changeDraft}
        onSend={(message) => void actions.send(message)}
        onStop={actions.stop}
        onEditLast={onEditLast}
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
    thread.current?.scrollTo(Math.max(0, Math.min(count - 1, at + by)));
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
}

/** A conversation that has not begun has no branches. */
function ignore(): void {}
