import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect, useRef } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { findPassage } from "./find-passage.ts";
import { contentAddress, pageTextQuery } from "./passage-queries.ts";
import { usePassageTexts } from "./passage-texts.ts";

interface PassageProps {
  source: {
    documentId: string;
    fileName: string;
    pageNumber: number | null;
    content: string;
  };
  onClose: () => void;
}

/** The words that an answer cites, marked on their page. */
export function Passage({ source, onClose }: PassageProps) {
  const texts = usePassageTexts();
  const { documentId, fileName, pageNumber, content } = source;
  const { data, error, refetch, isPending } = useQuery(pageTextQuery(documentId, pageNumber));
  return (
    <Dialog title={fileName} size="side" onClose={onClose}>
      <div className="mb-3 flex items-center gap-3 text-muted">
        {pageNumber !== null && <span>{texts.page(pageNumber)}</span>}
        <a
          href={contentAddress(documentId)}
          className="inline-flex min-h-6 items-center gap-1 text-accent underline"
          download
        >
          <ExternalLink aria-hidden size={14} />
          {texts.download}
        </a>
      </div>
      {isPending && <Loading lines={8} />}
      {error && (
        <div className="grid gap-4">
          <blockquote dir="auto" className="border-l-2 border-accent pl-3 whitespace-pre-wrap">
            {content}
          </blockquote>
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && <PageText text={data} passage={content} />}
    </Dialog>
  );
}

function PageText({ text, passage }: { text: string; passage: string }) {
  const marked = useRef<HTMLElement>(null);
  const { before, match, after } = findPassage(text, passage);
  useEffect(() => marked.current?.scrollIntoView({ block: "center" }), []);
  return (
    <div dir="auto" className="text-base whitespace-pre-wrap wrap-anywhere">
      {before}
      <mark ref={marked}>{match}</mark>
      {after}
    </div>
  );
}
