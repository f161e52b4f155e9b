import { memo, useEffect, useRef, type RefObject, useState } from "react";
import { join } from "../ui/join.ts";
import { BlockView, renderBlocks } from "./block.tsx";
import { type CiteHandler, CiteContext } from "./cite.tsx";
import { WithFootnotes } from "./footnotes.tsx";
import { type Block, GrowingBlocks } from "./growing-blocks.ts";
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
        className={join("markdown", isContained && "markdown-growing", className)}
      >
        <WithFootnotes blocks={blocks} render={renderBlocks}>
          {blocks.map(({ key, token }: Block) => (
            <BlockView key={key} token={token} />
          ))}
        </WithFootnotes>
      </div>
    </CiteContext>
  );
});

/** The number of blocks that a slow device can lay out between two frames. */
const BLOCKS_A_FRAME = 12;

/**
 * Whether the blocks of a text that grows are laid out only in sight. They stay so for some frames
 * after its end, in which more and more of them are laid out: all at once would stop the page.
 */
function useGradualLayout(
  container: RefObject<HTMLElement | null>,
  isGrowing: boolean,
): boolean {
  const [isContained, setContained] = useState(isGrowing);
  if (isGrowing && !isContained) setContained(true);
  useEffect(() => {
    if (isGrowing || !isContained || !container.current) return;
    return layOut(container.current, () => setContained(false));
  }, [container, isGrowing, isContained]);
  return isContained;
}

/** Lays blocks out from the last one up, near which the reader is. Returns how to stop it. */
function layOut(container: HTMLElement, onDone: () => void): () => void {
  const blocks = [...container.children].filter((block) => block instanceof HTMLElement);
  let left = blocks.length;
  let frame = requestAnimationFrame(function next() {
    const from = Math.max(0, left - BLOCKS_A_FRAME);
    for (const block of blocks.slice(from, left)) block.style.contentVisibility = "visible";
    left = from;
    if (left > 0) frame = requestAnimationFrame(next);
    else onDone();
  });
  return () => {
    cancelAnimationFrame(frame);
    for (const block of blocks) block.style.contentVisibility = "";
  };
}
