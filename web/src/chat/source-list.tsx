import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";

interface SourceListProps {
  sources: ThreadMessage["sources"];
  onOpen: (source: ThreadMessage["sources"][number]) => void;
}

/** The cited passages below an answer, where there is no margin, and in print. */
export function SourceList({ sources, onOpen }: SourceListProps) {
  const texts = useChatTexts();
  if (sources.length === 0) return null;
  return (
    <ol
      aria-label={texts.sources(sources.length)}
      className="grid gap-1 text-xs @5xl:hidden"
    >
      {sources.map((source) => (
        <li key={source.index}>
          <button
            type="button"
            onClick={() => onOpen(source)}
            className={
              "flex min-h-8 w-full items-center gap-2 rounded-md bg-sunken px-2 py-1 text-left " +
              "pointer-coarse:min-h-11"
            }
          >
            <span className="font-semibold text-accent">{source.index}</span>
            <bdi className="min-w-0 truncate font-medium">{source.fileName}</bdi>
            {source.pageNumber !== null && (
              <span className="shrink-0 text-muted">{texts.page(source.pageNumber)}</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}
