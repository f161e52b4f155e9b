import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { closestSentence, findPassage } from "./find-words.ts";
import { markPlace, textOf } from "./mark-place.ts";
import { contentAddress, pageTextQuery } from "./passage-queries.ts";
import { usePassageTexts } from "./passage-texts.ts";

export interface PassageSource {
  documentId: string;
  fileName: string;
  pageNumber: number | null;
  content: string;
}

interface PassageProps {
  source: PassageSource;
  /** The sentence of the answer that cites it. */
  said?: string | undefined;
  onClose: () => void;
}

/** The words that an answer cites, marked on their page. */
export function Passage({ source, said, onClose }: PassageProps) {
  const texts = usePassageTexts();
  const { documentId, fileName, pageNumber, content } = source;
  const { data, error, refetch, isPending } = useQuery(
    pageTextQuery(documentId, pageNumber),
  );
  return (
    <Dialog title={fileName} size="side" onClose={onClose}>
      <div className="mb-3 flex items-center gap-3 text-muted">
        {pageNumber !== null && <span>{texts.page(pageNumber)}</span>}
        <a
          href={contentAddress(documentId)}
          className="inline-flex min-h-6 items-center gap-1 text-accent underline"
          download
        >
          <Download aria-hidden size={14} />
          {texts.download}
        </a>
      </div>
      {isPending && <Loading lines={8} />}
      {error && (
        <div className="grid gap-4">
          <blockquote
            dir="auto"
            className="border-l-2 border-accent pl-3 whitespace-pre-wrap"
          >
            {content}
          </blockquote>
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && <PageText text={data} passage={content} said={said} />}
    </Dialog>
  );
}

interface PageTextProps {
  text: string;
  passage: string;
  said: string | undefined;
}

function PageText({ text, passage, said }: PageTextProps) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current;
    if (!element) return undefined;
    const shown = textOf(element);
    const sentence = said === undefined ? undefined : closestSentence(passage, said);
    const cited = sentence === undefined ? undefined : findPassage(shown, sentence);
    const place = cited ?? findPassage(shown, passage);
    return place && markPlace(element, place);
  }, [text, passage, said]);
  return (
    <div ref={page}>
      <Markdown text={text} />
    </div>
  );
}
