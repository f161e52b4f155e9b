import { memo, useEffect, useRef } from "react";
import { join } from "../ui/join.ts";
import { BlockView } from "./block.tsx";
import { type CiteHandler, CiteContext } from "./cite.tsx";
import { type Block, GrowingBlocks } from "./growing-blocks.ts";
import { useGradualLayout } from "./use-gradual-layout.ts";
import "./markdown.css";

interface MarkdownProps {
  text: string;
  /** Whether more text comes. */
  isGrowing?: boolean;
  /** What the numbers in brackets lead to. Absent: they are plain text. */
  cites?: CiteHandler | undefined;
  className?: string;
  /** Called with the time that showing took, while the text grows. */
  onShown?: (durationMs: number) => void;
}

/** A Markdown text as React elements. HTML in it is shown as text; no image is loaded. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const { text, isGrowing = false, cites, className, onShown } = props;
  const growing = useRef<GrowingBlocks>(null);
  growing.current ??= new GrowingBlocks();
  const container = useRef<HTMLDivElement>(null);
  const isContained = useGradualLayout(container, isGrowing);
  const startedAt = performance.now();
  const blocks = growing.current.update(text, !isGrowing);
  useEffect(() => {
    if (isGrowing) onShown?.(performance.now() - startedAt);
  });
  return (
    <CiteContext value={cites}>
      <div
        ref={container}
        dir="auto"
        className={join("markdown", isContained && "markdown-growing", className)}
      >
        {blocks.map(({ key, token }: Block) => (
          <BlockView key={key} token={token} />
        ))}
      </div>
    </CiteContext>
  );
});
