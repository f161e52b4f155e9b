import type { NotFound } from "../../../src/services/core/sources/contract.ts";
import { toPlainText } from "../markdown/plain-text.ts";
import { texts } from "../texts/language.ts";
import { useNotFound } from "../texts/not-found.ts";
import { usePlace } from "../texts/place.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import type { OpenedSource } from "./use-reply-notes.tsx";

interface NotFoundNoticeProps {
  notFound: NotFound;
  onOpen: (opened: OpenedSource) => void;
}

/** Why the documents had nothing for an answer, and what is nearest in them. */
export function NotFoundNotice({ notFound, onOpen }: NotFoundNoticeProps) {
  const words = useTexts();
  const sayWhy = useNotFound();
  const placeOf = usePlace();
  const nearest = notFound.nearest.map((passage, at) => ({
    ...passage,
    index: at + 1,
    cited: false,
  }));
  const beside = nearest.map((source) => ({ source }));
  return (
    <section
      aria-label={words.title}
      className="grid gap-1 border-l-2 border-hairline-strong px-3 py-1 text-sm"
    >
      <p>
        <strong className="font-semibold">{words.title}.</strong> {sayWhy(notFound)}
      </p>
      {nearest.length > 0 && (
        <>
          <p className="text-muted">{words.nearest}</p>
          <ul className="grid gap-1">
            {nearest.map((source) => (
              <li key={source.index}>
                <button
                  type="button"
                  onClick={() => onOpen({ index: source.index, beside })}
                  className={
                    "grid min-h-8 w-full gap-0.5 rounded-md px-2 py-1 text-left hover:bg-hover " +
                    "pointer-coarse:min-h-11"
                  }
                >
                  <span className="flex min-w-0 items-center gap-2">
                    <FileIcon name={source.fileName} isBare />
                    <bdi className="min-w-0 truncate font-medium">{source.fileName}</bdi>
                    <bdi className="min-w-0 shrink-2 truncate text-muted empty:hidden">
                      {placeOf(source)}
                    </bdi>
                  </span>
                  <span dir="auto" className="line-clamp-2 text-muted wrap-anywhere">
                    {toPlainText(source.content)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const en = {
  title: "Not found in your documents",
  nearest: "Nearest, though not near enough to answer from:",
};
const de = {
  title: "In Ihren Dokumenten nicht gefunden",
  nearest: "Am nächsten, wenn auch nicht nah genug für eine Antwort:",
} satisfies typeof en;

const useTexts = texts({ en, de });
