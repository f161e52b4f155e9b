import { type RefObject, useEffect, useState } from "react";

/** The number of blocks that a slow device can lay out between two frames. */
const BLOCKS_A_FRAME = 12;

/**
 * Whether the blocks of a text that grows are laid out only in sight. They stay so for some frames
 * after its end, in which more and more of them are laid out: all at once would stop the page.
 */
export function useGradualLayout(
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
