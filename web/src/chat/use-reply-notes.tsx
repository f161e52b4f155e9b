import { useMemo, useState } from "react";
import type { CiteHandler } from "../markdown/cite.tsx";
import { CanvasNote } from "./canvas-note.tsx";
import { citedIndexes, sentenceCiting } from "./citations.ts";
import type { Note } from "./margin.tsx";
import type { ThreadMessage } from "./queries.ts";
import type { ReplyState, WrittenCanvas } from "./reply-state.ts";
import { SourceNote } from "./source-note.tsx";
import { useChatTexts } from "./texts.ts";
import { ToolNote } from "./tool-note.tsx";

type Sources = ThreadMessage["sources"];

interface ReplyNotes {
  /** What the model did: canvases and tool calls. Narrow screens show them above the text. */
  done: readonly Note[];
  /** All notes in the margin. */
  all: readonly Note[];
  /** The sources that the text cites, in the order of their first citation. */
  cited: Sources;
  /** Handles the numbers in the text; absent without sources. */
  cites: CiteHandler | undefined;
  open: (index: number) => void;
}

/** The notes beside an answer. A source is marked while the pointer is over its number. */
export function useReplyNotes(
  state: ReplyState,
  conversationId: string,
  onOpenSource: (source: Sources[number], said?: string) => void,
): ReplyNotes {
  const texts = useChatTexts();
  const [pointedAt, pointAt] = useState<number>();
  const { sources, text } = state;
  const cites = useMemo(() => {
    const find = (index: number) => sources.find((source) => source.index === index);
    return {
      has: (index: number) => find(index) !== undefined,
      label: (index: number) => texts.source(index, find(index)?.fileName ?? ""),
      onOpen(index: number) {
        const source = find(index);
        if (source) onOpenSource(source, sentenceCiting(text, index));
      },
      onPoint: pointAt,
    };
  }, [sources, text, texts, onOpenSource]);
  const cited = useMemo(() => citedSources(text, sources), [text, sources]);
  const canvases = newestOfEach(state.canvases).map((canvas) => ({
    key: `canvas-${canvas.canvasId}`,
    content: <CanvasNote canvas={canvas} conversationId={conversationId} />,
  }));
  const tools = state.tools.map((tool) => ({
    key: tool.toolCallId,
    content: <ToolNote tool={tool} />,
  }));
  const done = [...canvases, ...tools];
  const beside = cited.map((source) => ({
    key: `source-${source.index}`,
    cite: source.index,
    content: (
      <SourceNote
        source={source}
        isPointedAt={source.index === pointedAt}
        onOpen={() => cites.onOpen(source.index)}
      />
    ),
  }));
  return {
    done,
    all: [...done, ...beside],
    cited,
    cites: sources.length > 0 ? cites : undefined,
    open: cites.onOpen,
  };
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
