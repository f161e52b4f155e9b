import { type Ref, useState } from "react";
import { type Outgoing, send } from "./outgoing.ts";
import type { ThreadMessage } from "./queries.ts";
import { ReplyMessage } from "./reply-message.tsx";
import { useSpeechEnd } from "./speech.ts";
import { type ThreadHandle, ThreadView } from "./thread-view.tsx";
import type { ConversationActions } from "./use-conversation.ts";
import type { OpenedSource } from "./use-reply-notes.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { ProblemCard, SMALL } from "../ui/states.tsx";
import { useChatTexts } from "./texts.ts";
import { INPUT_LOOK } from "../ui/field.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { MessageActions } from "./message-actions.tsx";
import { MessageFiles } from "./message-files.tsx";

interface ThreadProps {
  ref: Ref<ThreadHandle>;
  messages: readonly ThreadMessage[];
  outgoing: readonly Outgoing[];
  actions: ConversationActions;
  /** The message whose text is being edited. */
  editing: string | undefined;
  onEdit: (messageId: string | undefined) => void;
  onBranch: (messageId: string | undefined) => void;
  onOpenSource: (opened: OpenedSource) => void;
  loadOlder: (() => void) | undefined;
}

/** The messages of a branch, and those that are on their way. */
export function Thread(props: ThreadProps) {
  const { ref, messages, outgoing, actions, loadOlder } = props;
  useSpeechEnd();
  const keys = [...messages.map(({ id }) => id), ...outgoing.map(({ key }) => key)];
  return (
    <ThreadView
      ref={ref}
      keys={keys}
      sentKey={outgoing.at(-1)?.key}
      onNearStart={loadOlder}
      renderRow={(index) => {
        const message = messages[index];
        const sent = outgoing[index - messages.length];
        return (
          <div className="mx-auto max-w-[46rem] px-4 pb-8 notes:max-w-[66rem] notes:pl-12">
            {message && <Message {...props} message={message} />}
            {sent && <OutgoingMessage message={sent} onEdit={actions.editOutgoing} />}
          </div>
        );
      }}
    />
  );
}

function Message(props: ThreadProps & { message: ThreadMessage }) {
  const { message, messages, actions, editing, onEdit, onBranch, onOpenSource } = props;
  if (message.role === "user") {
    return (
      <UserMessage
        message={message}
        isEditing={editing === message.id}
        onEdit={(isEditing) => onEdit(isEditing ? message.id : undefined)}
        onResend={(text) => actions.resend(message, text)}
        onBranch={onBranch}
      />
    );
  }
  return (
    <ReplyMessage
      message={message}
      isLast={message === messages.at(-1)}
      onBranch={onBranch}
      onRegenerate={actions.running ? undefined : () => void actions.regenerate(message)}
      onReact={(reaction) => actions.react(message, reaction)}
      onDecided={() => void actions.goOn(message)}
      onOpenSource={onOpenSource}
    />
  );
}

interface OutgoingMessageProps {
  message: Outgoing;
  onEdit: (message: Outgoing) => void;
}

/** A message that is being sent, or that the server refused. */
function OutgoingMessage({ message, onEdit }: OutgoingMessageProps) {
  const texts = useChatTexts();
  const queries = useQueryClient();
  const problem = useErrorText(message.error);
  const { error: _, ...again } = message;
  return (
    <article
      aria-label={texts.you}
      className="grid justify-items-end gap-1 notes:mr-[18rem]"
    >
      <div
        dir="auto"
        className="max-w-[85%] border-r-2 border-hairline-strong pr-4 text-base whitespace-pre-wrap"
      >
        {message.body.content}
      </div>
      {message.error ? (
        <div className="w-full max-w-136">
          <ProblemCard
            text={texts.notSent}
            onRetry={() => void send(queries, again)}
            action={
              <Button look="quiet" className={SMALL} onClick={() => onEdit(message)}>
                {texts.editMessage}
              </Button>
            }
          >
            {problem}
          </ProblemCard>
        </div>
      ) : (
        <p className="animate-late text-xs text-muted">{texts.sending} …</p>
      )}
    </article>
  );
}

interface UserMessageProps {
  message: ThreadMessage;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
  onResend: (text: string) => void;
  onBranch: (messageId: string) => void;
}

/** A message of the user, at the right with a rule. */
function UserMessage(props: UserMessageProps) {
  const { message, isEditing, onEdit, onBranch } = props;
  const texts = useChatTexts();
  return (
    <article
      tabIndex={-1}
      aria-label={texts.you}
      className="group relative grid justify-items-end gap-1 notes:mr-[18rem]"
    >
      {isEditing ? (
        <Editor {...props} />
      ) : (
        message.content !== "" && (
          <div
            dir="auto"
            className={
              "max-w-[85%] border-r-2 border-accent pr-4 text-base whitespace-pre-wrap " +
              "wrap-anywhere"
            }
          >
            {message.content}
          </div>
        )
      )}
      {message.files.length > 0 && <MessageFiles files={message.files} />}
      {!isEditing && (
        // between two messages, so that what only shows on hover takes no room of its own
        <div className="absolute top-full right-0 flex items-center gap-1 pointer-coarse:static">
          <BranchSwitch message={message} onBranch={onBranch} />
          <MessageActions
            message={message}
            text={message.content}
            onEdit={() => onEdit(true)}
          />
        </div>
      )}
    </article>
  );
}

function Editor({ message, onEdit, onResend }: UserMessageProps) {
  const texts = useChatTexts();
  const [text, setText] = useState(message.content);
  const save = () => {
    onEdit(false);
    if (text.trim() !== "" || message.files.length > 0) onResend(text);
  };
  return (
    <form
      className="grid w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onEdit(false);
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
      }}
    >
      <textarea
        autoFocus
        aria-label={texts.edit}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${INPUT_LOOK} field-sizing-content max-h-96 resize-none text-base`}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="flex-1 text-xs text-muted">{texts.editHint}</p>
        <Button look="quiet" onClick={() => onEdit(false)}>
          {texts.cancel}
        </Button>
        <Button type="submit" look="primary">
          {texts.saveAndSend}
        </Button>
      </div>
    </form>
  );
}
