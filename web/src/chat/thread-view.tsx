import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { useChatTexts } from "./texts.ts";
import { useEndInView } from "./use-end-in-view.ts";

export interface ThreadHandle {
  scrollToEnd: () => void;
  /** Scrolls to a row. */
  scrollTo: (index: number) => void;
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
const NEAR_START = 5;
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
  const { virtualizer, end, scrollToEnd, isAtEnd } = useRows(scroller, props);
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
    firstVisible: () =>
      virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + HEADER_PX)
        ?.index ?? 0,
  }));
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={end.onScroll}
        role="log"
        aria-label={texts.thread}
        aria-live="off"
        tabIndex={0}
        className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none] outline-offset-[-2px]"
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
              {renderRow(index)}
            </div>
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <div className="absolute right-6 bottom-3">
          <IconButton
            icon={ArrowDown}
            label={texts.toEnd}
            className="border border-hairline bg-raised shadow-md"
            onClick={scrollToEnd}
          />
        </div>
      )}
    </div>
  );
}

/** Which rows are mounted, and whether the view follows the end. */
function useRows(
  scroller: RefObject<HTMLDivElement | null>,
  { keys, onNearStart }: Pick<ThreadViewProps, "keys" | "onNearStart">,
) {
  const [isAtEnd, setAtEnd] = useState(true);
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keys[index] ?? index,
    estimateSize: () => ESTIMATED_ROW_PX,
    overscan: OVERSCAN,
    anchorTo: "end",
    paddingStart: HEADER_PX,
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
  return { virtualizer, end, scrollToEnd, isAtEnd };
}
