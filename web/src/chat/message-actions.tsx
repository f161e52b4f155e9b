import {
  NotebookPen,
  Pencil,
  RotateCcw,
  Square,
  ThumbsDown,
  ThumbsUp,
  Volume2,
} from "lucide-react";
import { CopyButton } from "../ui/copy-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import { notify } from "../ui/notices.tsx";
import { useSpeech } from "./speech.ts";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";
import { useNewCanvas } from "./use-new-canvas.ts";
import { copyFormatted, copyText } from "../ui/copy-text.ts";
import { usePlace } from "../texts/place.ts";
import { toRichText } from "../markdown/rich-text.ts";

interface MessageActionsProps {
  message: ThreadMessage;
  /** What is shown. Of an answer that has just ended, only a part may be stored as yet. */
  text: string;
  /** The sources that the text cites. */
  cited?: ThreadMessage["sources"];
  /** Whether they are shown also without the pointer over the message. */
  isVisible?: boolean;
  onEdit?: () => void;
  onRegenerate?: (() => void) | undefined;
  onReact?: (reaction: ThreadMessage["reaction"]) => Promise<void>;
  /** Opens and closes the form that says why an answer is bad. */
  reasons?: { isOpen: boolean; toggle: (isOpen: boolean) => void };
}

/** The texts of a message, between which calls of tools stand; without what the model thought. */
const SHOWN_TEXT = ".markdown:not(.markdown-small)";

/** The actions of a message. */
export function MessageActions({
  message,
  text,
  cited = [],
  isVisible = false,
  onEdit,
  onRegenerate,
  onReact,
  reasons,
}: MessageActionsProps) {
  const texts = useChatTexts();
  const speech = useSpeech(message.id, () => notify(texts.cannotRead));
  return (
    <div
      className={join(
        "flex print:hidden",
        !isVisible &&
          !speech.isSpeaking &&
          "opacity-0 transition-opacity group-focus-within:opacity-100 " +
            "group-hover:opacity-100 pointer-coarse:opacity-100",
      )}
    >
      {text !== "" && <CopyMessage text={text} cited={cited} />}
      {onEdit && <IconButton icon={Pencil} label={texts.edit} onClick={onEdit} />}
      {onRegenerate && (
        <IconButton icon={RotateCcw} label={texts.regenerate} onClick={onRegenerate} />
      )}
      {message.role === "assistant" && text !== "" && (
        <>
          <CanvasButton conversationId={message.conversationId} content={text} />
          {speech.speaker && <SpeakButton speech={speech} text={text} />}
        </>
      )}
      {onReact && (
        <>
          <IconButton
            icon={ThumbsUp}
            label={texts.like}
            pressed={message.reaction === "like"}
            onClick={() => void onReact(message.reaction === "like" ? null : "like")}
          />
          <IconButton
            icon={ThumbsDown}
            label={texts.dislike}
            pressed={message.reaction === "dislike"}
            aria-expanded={reasons?.isOpen}
            onClick={() => {
              reasons?.toggle(!reasons.isOpen);
              if (message.reaction !== "dislike") void onReact("dislike");
            }}
          />
        </>
      )}
    </div>
  );
}

function CopyMessage({ text, cited }: { text: string; cited: ThreadMessage["sources"] }) {
  const texts = useChatTexts();
  const placeOf = usePlace();
  /** With the sources that it cites: as it looks, and as Markdown where no formats are kept. */
  const copy = async (button: Element) => {
    const shown = button.closest("article")?.querySelectorAll(SHOWN_TEXT);
    const sources = cited
      .toSorted((one, other) => one.index - other.index)
      .map((source) => {
        const parts = [source.fileName, placeOf(source), source.url];
        return `[${source.index}] ${parts.filter(Boolean).join(", ")}`;
      });
    const plain = [text.trimEnd(), sources.join("\n")].filter(Boolean).join("\n\n");
    await (shown?.length
      ? copyFormatted(plain, toRichText(shown, sources))
      : copyText(plain));
  };
  return <CopyButton label={texts.copy} copied={texts.copied} copy={copy} />;
}

const MAX_TITLE_CHARACTERS = 300;

/** Continues with an answer as a canvas. */
function CanvasButton({
  conversationId,
  content,
}: {
  conversationId: string;
  content: string;
}) {
  const texts = useChatTexts();
  const create = useNewCanvas(conversationId);
  if (!create) return null;
  const heading = /^#{1,6} +(\S.*)/m
    .exec(content)?.[1]
    ?.trim()
    .slice(0, MAX_TITLE_CHARACTERS);
  return (
    <IconButton
      icon={NotebookPen}
      label={texts.openAsCanvas}
      onClick={() => create({ title: heading || texts.untitled, content })}
    />
  );
}

interface SpeakButtonProps {
  speech: ReturnType<typeof useSpeech>;
  text: string;
}

function SpeakButton({ speech, text }: SpeakButtonProps) {
  const texts = useChatTexts();
  return (
    <IconButton
      icon={speech.isSpeaking ? Square : Volume2}
      label={speech.isSpeaking ? texts.stopReading : texts.readAloud}
      onClick={() => (speech.isSpeaking ? speech.stop() : speech.speak(text))}
    />
  );
}
