import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { INPUT_LOOK } from "../ui/field.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import { MessageActions } from "./message-actions.tsx";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";

interface UserMessageProps {
  message: ThreadMessage;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
  onResend: (text: string) => void;
  onBranch: (messageId: string) => void;
}

/** A message of the user, at the right with a rule. */
export function UserMessage(props: UserMessageProps) {
  const { message, isEditing, onEdit, onBranch } = props;
  const texts = useChatTexts();
  return (
    <article
      tabIndex={-1}
      aria-label={texts.you}
      className="group grid justify-items-end gap-1 notes:mr-[18rem]"
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
      {message.files.length > 0 && <Files files={message.files} />}
      {!isEditing && (
        <div className="flex items-center gap-1">
          <BranchSwitch message={message} onBranch={onBranch} />
          <MessageActions message={message} onEdit={() => onEdit(true)} />
        </div>
      )}
    </article>
  );
}

function Files({ files }: { files: readonly { id: string; fileName: string }[] }) {
  return (
    <ul className="flex flex-wrap justify-end gap-2">
      {files.map(({ id, fileName }) => (
        <li
          key={id}
          className="flex items-center gap-1.5 rounded-md bg-sunken px-2 py-1 text-xs"
        >
          <FileIcon name={fileName} isBare />
          <bdi className="max-w-60 truncate">{fileName}</bdi>
        </li>
      ))}
    </ul>
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
        className={`${INPUT_LOOK} field-sizing-content max-h-96 text-base`}
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
