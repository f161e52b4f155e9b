import { toPlainText } from "../markdown/plain-text.ts";
import { join } from "../ui/join.ts";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";

interface SourceNoteProps {
  source: ThreadMessage["sources"][number];
  isPointedAt: boolean;
  onOpen: () => void;
}

/** A cited passage, beside the sentence that cites it. */
export function SourceNote({ source, isPointedAt, onOpen }: SourceNoteProps) {
  const texts = useChatTexts();
  const { index, fileName, pageNumber, content } = source;
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={texts.source(index, fileName)}
      className={join(
        "grid w-full gap-0.5 rounded-md border-l-2 px-2 py-1 text-left hover:bg-sunken",
        isPointedAt ? "border-accent bg-mark text-ink" : "border-hairline",
      )}
    >
      <span className="flex gap-1.5 font-medium">
        <span className="text-accent">{index}</span>
        <bdi className="min-w-0 truncate">{fileName}</bdi>
        {pageNumber !== null && <span className="shrink-0">{texts.page(pageNumber)}</span>}
      </span>
      <span dir="auto" className={join("line-clamp-3", !isPointedAt && "text-muted")}>
        {toPlainText(content)}
      </span>
    </button>
  );
}
