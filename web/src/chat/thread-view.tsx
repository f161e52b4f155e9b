import { type Range, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { scrollbarWidth } from "../ui/scrollbar-width.ts";
import { type RowPlaces, rowsToMount } from "./rows-to-mount.ts";
import { useChatTexts } from "./texts.ts";

export interface ThreadHandle {
  scrollToEnd: () => void;
  /** Scrolls to a row. */
  scrollTo: (index: number) => void;
  /** Puts the focus on the message of a row, once it is mounted. */
  focus: (index: number) => void;
  /** The row at the top of the view. */
  firstVisible: () => number;
}

interface ThreadViewProps {
  ref: Ref<ThreadHandle>;
  /** Of each row, in order; a row keeps its key. */
  keys: readonly string[];
  /** Of the message that the user has just sent, which is shown wherever they were reading. */
  sentKey: string | undefined;
  renderRow: (index: number) => ReactNode;
  /** Called near the beginning, where older rows can be loaded. */
  onNearStart?: (() => void) | undefined;
}

/** A height that most messages come near to. */
const ESTIMATED_ROW_PX = 220;
const OVERSCAN = 4;
/** The header of the conversation covers the top of the thread. */
const HEADER_PX = 56;
/** Between the header and the first message. */
const TOP_GAP_PX = 20;
const NEAR_START = 5;
/** Rows are mounted a moment after the thread scrolls. */
const MOUNT_MS = 120;
/** Within this distance of the end the view follows what grows. */
const END_THRESHOLD_PX = 60;

/**
 * A long thread of which only the rows in sight are mounted. It opens at its end. Rows that are
 * added above, or change their height above the view, do not move what is read; an answer that
 * grows is followed only at the end.
 */
export function ThreadView(props: ThreadViewProps) {
  const { ref, sentKey, renderRow } = props;
  const texts = useChatTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const { virtualizer, end, scrollToEnd, isAtEnd, onScroll } = useRows(scroller, props);
  const { hasRing, findRing } = useRing(scroller);
  useLayoutEffect(() => {
    if (sentKey) scrollToEnd();
    // only a new message, not a new render
  }, [sentKey]);
  useImperativeHandle(ref, () => ({
    scrollToEnd,
    scrollTo(index) {
      end.setFollowing(false);
      virtualizer.scrollToIndex(index, { align: "start" });
    },
    focus(index) {
      setTimeout(() => {
        const row = scroller.current?.querySelector(`[data-index="${index}"] article`);
        if (row instanceof HTMLElement) row.focus({ preventScroll: true });
      }, MOUNT_MS);
    },
    firstVisible: () =>
      virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + HEADER_PX)
        ?.index ?? 0,
  }));
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={onScroll}
        onFocus={findRing}
        onBlur={findRing}
        onKeyUp={findRing}
        role="log"
        aria-label={texts.thread}
        aria-live="off"
        tabIndex={0}
        className={
          "h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none] " +
          "[scrollbar-gutter:stable_both-edges] outline-offset-[-2px] " +
          // the search in the conversation covers the top, too
          "[search~div>&]:pt-14"
        }
      >
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row renderRow={renderRow} index={index} />
            </div>
          ))}
        </div>
      </div>
      {!hasRing && <Fade />}
      {!isAtEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 mx-auto flex max-w-[44rem] justify-center notes:max-w-[62rem] notes:pr-[16rem]">
          <IconButton
            icon={ArrowDown}
            label={texts.toEnd}
            className="pointer-events-auto size-9! rounded-full! border border-hairline-strong bg-raised shadow-2"
            onClick={scrollToEnd}
          />
        </div>
      )}
    </div>
  );
}

/** Stays as it is while an answer below it grows, which moves rows but changes none. */
const Row = memo(function Row({
  renderRow,
  index,
}: Pick<ThreadViewProps, "renderRow"> & { index: number }) {
  return renderRow(index);
});

/**
 * Whether what has the focus in an element shows a ring. Not by a style of `:has(:focus-visible)`:
 * for that a browser visits everything in the element whenever anything is added to it.
 */
function useRing(element: RefObject<HTMLElement | null>) {
  const [hasRing, setRing] = useState(false);
  const findRing = () => {
    const active = document.activeElement;
    const isInside = element.current?.contains(active) ?? false;
    setRing(isInside && (active?.matches(":focus-visible") ?? false));
  };
  // what has the focus may go without a word
  useLayoutEffect(findRing);
  return { hasRing, findRing };
}

/** Lets the text fade out above the composer, for eyes alone; not where people want contrast. */
function Fade() {
  return (
    <div
      aria-hidden
      data-fade
      className={
        "pointer-events-none absolute bottom-0 h-8 bg-linear-to-b from-transparent to-page " +
        "contrast-more:hidden forced-colors:hidden print:hidden"
      }
      // the scrollbar beside the text stays as it is
      style={{ insetInline: scrollbarWidth() }}
    />
  );
}

/** Which rows are mounted, and whether the view follows the end. */
function useRows(
  scroller: RefObject<HTMLDivElement | null>,
  { keys, onNearStart }: Pick<ThreadViewProps, "keys" | "onNearStart">,
) {
  const [isAtEnd, setAtEnd] = useState(true);
  const toMount = (range: Range) =>
    rowsToMount(range, placesOf(virtualizer, scroller.current));
  const [, setMounted] = useState("");
  const virtualizer: Rows = useVirtualizer<HTMLDivElement, Element>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keys[index] ?? index,
    estimateSize: () => ESTIMATED_ROW_PX,
    overscan: OVERSCAN,
    rangeExtractor: toMount,
    anchorTo: "end",
    paddingStart: HEADER_PX + TOP_GAP_PX,
    scrollPaddingStart: HEADER_PX,
    paddingEnd: 24,
    initialOffset: () => keys.length * ESTIMATED_ROW_PX,
    onChange(instance) {
      setAtEnd(instance.isAtEnd(END_THRESHOLD_PX));
      const first = instance.getVirtualItems()[0]?.index;
      if (first !== undefined && first < NEAR_START) onNearStart?.();
    },
  });
  const end = useEndInView(scroller, {
    thresholdPx: END_THRESHOLD_PX,
    size: virtualizer.getTotalSize() - (virtualizer.scrollRect?.height ?? 0),
  });
  const scrollToEnd = () => {
    end.setFollowing(true);
    virtualizer.scrollToEnd();
  };
  const onScroll = () => {
    end.onScroll();
    // within a long row, what is near changes while what is in sight stays
    const { range } = virtualizer;
    const { count, overscan } = virtualizer.options;
    if (range) setMounted(toMount({ ...range, count, overscan }).join());
  };
  return { virtualizer, end, scrollToEnd, isAtEnd, onScroll };
}

type Rows = Virtualizer<HTMLDivElement, Element>;

/** Where the rows are, as the virtualizer knows it. */
function placesOf(virtualizer: Rows, scroller: HTMLElement | null): RowPlaces {
  const { measurementsCache, itemSizeCache, scrollOffset } = virtualizer;
  return {
    viewTop: scrollOffset ?? 0,
    endOf: (index) => measurementsCache[index]?.end ?? 0,
    isMeasured: (index) => itemSizeCache.has(virtualizer.options.getItemKey(index)),
    isHeld: scroller !== null && isHeld(scroller),
  };
}

/** Whether the reader has selected or focused something in an element. */
function isHeld(element: HTMLElement): boolean {
  const active = document.activeElement;
  if (active !== element && element.contains(active)) return true;
  const selection = document.getSelection();
  return (
    selection !== null &&
    !selection.isCollapsed &&
    (element.contains(selection.anchorNode) || element.contains(selection.focusNode))
  );
}

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
function useEndInView(
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
