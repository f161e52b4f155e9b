import type { Ref } from "react";
import { type Outgoing } from "./outgoing.ts";
import { OutgoingMessage } from "./outgoing-message.tsx";
import type { ThreadMessage } from "./queries.ts";
import { ReplyMessage } from "./reply-message.tsx";
import { useSpeechEnd } from "./speech.ts";
import { type ThreadHandle, ThreadView } from "./thread-view.tsx";
import type { ConversationActions } from "./use-conversation.ts";
import { UserMessage } from "./user-message.tsx";

interface ThreadProps {
  ref: Ref<ThreadHandle>;
  messages: readonly ThreadMessage[];
  outgoing: readonly Outgoing[];
  actions: ConversationActions;
  /** The message whose text is being edited. */
  editing: string | undefined;
  onEdit: (messageId: string | undefined) => void;
  onBranch: (messageId: string | undefined) => void;
  onOpenSource: (source: ThreadMessage["sources"][number], said?: string) => void;
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
          <div className="mx-auto max-w-measure px-4 pb-6 @5xl:max-w-[61rem]">
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
