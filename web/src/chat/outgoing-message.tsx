import { useQueryClient } from "@tanstack/react-query";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { type Outgoing, send } from "./outgoing.ts";
import { useChatTexts } from "./texts.ts";

interface OutgoingMessageProps {
  message: Outgoing;
  onEdit: (message: Outgoing) => void;
}

/** A message that is being sent, or that the server refused. */
export function OutgoingMessage({ message, onEdit }: OutgoingMessageProps) {
  const texts = useChatTexts();
  const queries = useQueryClient();
  const problem = useErrorText(message.error);
  const { error: _, ...again } = message;
  return (
    <article
      aria-label={texts.you}
      className="grid justify-items-end gap-1 @5xl:mr-[17rem]"
    >
      <div
        dir="auto"
        className="max-w-[85%] border-r-2 border-hairline pr-4 text-base whitespace-pre-wrap"
      >
        {message.body.content}
      </div>
      {message.error ? (
        <div role="alert" className="grid justify-items-end gap-2">
          <p className="text-danger">
            {texts.notSent} {problem}
          </p>
          <div className="flex gap-2">
            <Button onClick={() => onEdit(message)}>{texts.editMessage}</Button>
            <Button look="primary" onClick={() => void send(queries, again)}>
              {texts.retry}
            </Button>
          </div>
        </div>
      ) : (
        <p className="animate-late text-xs text-muted">{texts.sending} …</p>
      )}
    </article>
  );
}
