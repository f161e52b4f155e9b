import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useState } from "react";
import { loadPart } from "../api/load-part.ts";
import type { CiteHandler } from "../markdown/cite.tsx";
import { type AnswerPart, partsOf } from "./answer-parts.ts";
import { citedIndexes, sentenceCiting } from "./citations.ts";
import type { PointedCite } from "./cite-card.tsx";
import type { Note } from "./margin.tsx";
import type { ThreadMessage } from "./queries.ts";
import type { ReplyState, WrittenCanvas } from "./reply-state.ts";
import { usePlace } from "../texts/place.ts";
import { useChatTexts } from "./texts.ts";
import { ToolNote } from "./tool-note.tsx";
import { Link } from "@tanstack/react-router";
import { NotebookPen } from "lucide-react";
import { quoteOf } from "./quote-of.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import { join } from "../ui/join.ts";

type Sources = ThreadMessage["sources"];

/** A source that is opened, and those beside it. */
export interface OpenedSource {
  index: number;
  /** Those that the answer cites, each with the sentence that does. */
  beside: readonly { source: Sources[number]; said?: string | undefined }[];
}

interface ReplyNotes {
  /** What the model wrote beside the answer. Narrow screens show it above the text. */
  canvases: readonly Note[];
  /** The text, and the tool calls between its parts. */
  parts: readonly AnswerPart[];
  /** All notes in the margin. */
  all: readonly Note[];
  /** The sources that the text cites, in the order of their first citation. */
  cited: Sources;
  /** Handles the numbers in the text; absent without sources. */
  cites: CiteHandler | undefined;
  open: (index: number) => void;
  /** The number that the reader points at. */
  pointed: PointedCite | undefined;
}

/** The notes beside an answer. A source is marked while the pointer is over its number. */
export function useReplyNotes(
  state: ReplyState,
  conversationId: string,
  onOpenSource: (opened: OpenedSource) => void,
): ReplyNotes {
  const texts = useChatTexts();
  const [pointed, pointAt] = useState<PointedCite>();
  usePrepared(state.sources, pointed);
  const { sources, text } = state;
  const cites = useMemo(() => {
    const find = (index: number) => sources.find((source) => source.index === index);
    return {
      has: (index: number) => find(index) !== undefined,
      label: (index: number) => texts.source(index, find(index)?.fileName ?? ""),
      onOpen(index: number) {
        if (!find(index)) return;
        const beside = citedSources(text, sources).map((source) => ({
          source,
          said: sentenceCiting(text, source.index),
        }));
        onOpenSource({ index, beside });
      },
      onPoint: pointAt,
    };
  }, [sources, text, texts, onOpenSource]);
  const cited = useMemo(() => citedSources(text, sources), [text, sources]);
  const canvases = newestOfEach(state.canvases).map((canvas) => ({
    key: `canvas-${canvas.canvasId}`,
    content: <CanvasNote canvas={canvas} conversationId={conversationId} />,
  }));
  const parts = useMemo(() => partsOf(text, state.tools), [text, state.tools]);
  const calls = parts.flatMap(({ at, tools }) =>
    tools.map((tool) => {
      return { key: tool.toolCallId, place: at, content: <ToolNote tool={tool} /> };
    }),
  );
  const beside = cited.map((source) => ({
    key: `source-${source.index}`,
    cite: source.index,
    content: (
      <SourceNote
        source={source}
        said={state.phase === "ended" ? sentenceCiting(text, source.index) : undefined}
        isPointedAt={source.index === pointed?.index}
        onOpen={() => cites.onOpen(source.index)}
      />
    ),
  }));
  return {
    canvases,
    parts,
    all: [...canvases, ...calls, ...beside],
    cited,
    cites: sources.length > 0 ? cites : undefined,
    open: cites.onOpen,
    pointed,
  };
}

const PREPARE_AFTER_MS = 100;

/** Reads a source while its number is pointed at, so that it is there when it is opened. */
function usePrepared(sources: Sources, pointed: PointedCite | undefined): void {
  const queries = useQueryClient();
  const source = sources.find(({ index }) => index === pointed?.index);
  useEffect(() => {
    if (!source) return undefined;
    const timer = setTimeout(() => {
      loadPart(() => import("../documents/passage.tsx"))
        .then(({ preparePassage }) => preparePassage(queries, source))
        .catch(() => undefined); // opening it says what is wrong
    }, PREPARE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [queries, source]);
}

/** The sources that a text cites, in the order of their first citation. */
function citedSources(text: string, sources: Sources): Sources {
  if (sources.length === 0) return [];
  return citedIndexes(text).flatMap(
    (index) => sources.find((one) => one.index === index) ?? [],
  );
}

/** A reply may write several versions of a canvas: the last one counts. */
function newestOfEach(canvases: readonly WrittenCanvas[]): WrittenCanvas[] {
  return [...new Map(canvases.map((canvas) => [canvas.canvasId, canvas])).values()];
}

/** A canvas that an answer wrote: opens it beside the conversation. */
function CanvasNote({
  canvas: { canvasId, version, title },
  conversationId,
}: {
  canvas: WrittenCanvas;
  conversationId: string;
}) {
  const texts = useChatTexts();
  return (
    <Link
      to="/c/$id/canvas/$canvas"
      params={{ id: conversationId, canvas: canvasId }}
      className={
        "flex min-h-6 items-center gap-1.5 rounded-r-md border-l-2 border-accent px-3 py-1 " +
        "hover:bg-hover pointer-coarse:min-h-11"
      }
    >
      <NotebookPen aria-hidden size={13} className="shrink-0 text-accent" />
      <bdi className="min-w-0 truncate font-medium">{title ?? texts.canvas}</bdi>
      <span className="shrink-0 text-muted">{texts.canvasVersion(version)}</span>
    </Link>
  );
}

interface SourceNoteProps {
  source: ThreadMessage["sources"][number];
  /** The sentence of the answer that cites it, once the answer has ended. */
  said: string | undefined;
  isPointedAt: boolean;
  onOpen: () => void;
}

/** A cited passage, beside the sentence that cites it. */
function SourceNote({ source, said, isPointedAt, onOpen }: SourceNoteProps) {
  const texts = useChatTexts();
  const placeOf = usePlace();
  const quoteId = useId();
  const { index, fileName, content } = source;
  const place = placeOf(source);
  const quote = useMemo(() => quoteOf(content, said), [content, said]);
  return (
    <button
      type="button"
      data-note={index}
      onClick={onOpen}
      aria-label={[texts.source(index, fileName), place].filter(Boolean).join(", ")}
      aria-describedby={quoteId}
      className={join(
        "grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 rounded-r-md border-l-2 px-3 py-1 text-left hover:bg-hover",
        isPointedAt ? "border-accent" : "border-hairline-strong",
      )}
    >
      <span className="flex items-center gap-1.5">
        <span className="text-xs font-semibold text-accent">{index}</span>
        <FileIcon name={fileName} isPage={source.url !== undefined} isBare />
        <bdi className="min-w-0 truncate font-medium">{fileName}</bdi>
      </span>
      <bdi className="truncate text-muted empty:hidden">{place}</bdi>
      <q
        id={quoteId}
        dir="auto"
        className="line-clamp-4 font-serif text-md leading-snug text-muted"
      >
        {quote}
      </q>
    </button>
  );
}
