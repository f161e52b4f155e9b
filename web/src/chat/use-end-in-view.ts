import { type RefObject, useLayoutEffect, useRef } from "react";

interface EndInView {
  /** For the scroller's scroll events. */
  onScroll: () => void;
  /** Whether the end stays in view as the content grows. */
  setFollowing: (follows: boolean) => void;
}

/**
 * Keeps the end of growing content in view, until the user scrolls up; the user's own scrolling
 * back to the end goes on with it. Content may grow by more than a screen between two frames: where
 * the end was then says nothing about what the user wants.
 */
export function useEndInView(
  scroller: RefObject<HTMLElement | null>,
  options: { thresholdPx: number; size: number },
): EndInView {
  const { thresholdPx, size } = options;
  const follows = useRef(true);
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [scroller, size]);
  return {
    onScroll() {
      const element = scroller.current;
      if (!element) return;
      const { scrollTop, scrollHeight, clientHeight } = element;
      const fromEnd = scrollHeight - clientHeight - scrollTop;
      // rows that shrink leave the view at the end, a user who scrolls up does not
      if (scrollTop < lastTop.current) follows.current &&= fromEnd <= 1;
      else if (fromEnd <= thresholdPx) follows.current = true;
      lastTop.current = scrollTop;
    },
    setFollowing(next) {
      follows.current = next;
    },
  };
}
