import { X } from "lucide-react";
import {
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useSyncExternalStore,
} from "react";
import { Dialog } from "./dialog.tsx";
import { IconButton } from "./icon-button.tsx";
import { useTakesRoom } from "./room.ts";
import { useUiTexts } from "./texts.ts";

interface PanelProps {
  title: string;
  icon?: ReactNode;
  /** A line below the title. */
  head?: ReactNode;
  /** A line below the content, always in sight. */
  foot?: ReactNode;
  /** Lies over the page, wherever that is: there is something else beside it. */
  isOver?: boolean | undefined;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Something beside the page, which stays usable: nothing is dimmed. Where there is no room for both
 * it lies over the page. Give the place that it takes a `flex` around it and the page.
 */
export function Panel(props: PanelProps) {
  const { title, head, foot, isOver, onClose, children } = props;
  const isWide = useMatches(WIDE);
  if (isWide && !isOver) return <Docked {...props} />;
  return (
    <Dialog title={title} size="side" onClose={onClose}>
      <div className="flex min-h-full flex-col">
        <div className="pb-3 empty:hidden">{head}</div>
        {children}
        {foot && (
          <div className="sticky -bottom-5 -left-5 -mx-5 mt-auto -mb-5 border-t border-hairline bg-page px-4 py-1">
            {foot}
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Docked({ title, icon, head, foot, onClose, children }: PanelProps) {
  const texts = useUiTexts();
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useTakesRoom(!useMatches(WIDER));
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section
      ref={ref}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
      className={
        "animate-appear flex h-full w-[31rem] max-w-[45vw] shrink-0 flex-col border-l " +
        "border-hairline bg-rail outline-none print:hidden"
      }
    >
      <header className="flex min-h-13 shrink-0 items-center gap-2.5 pr-3 pl-4">
        {icon}
        <h2
          id={titleId}
          title={title}
          className="min-w-0 flex-1 truncate font-sans text-md tracking-normal"
        >
          <bdi>{title}</bdi>
        </h2>
        <IconButton icon={X} label={texts.close} onClick={onClose} />
      </header>
      {head && <div className="shrink-0 px-4 pb-2">{head}</div>}
      <div
        tabIndex={0}
        role="region"
        aria-label={title}
        className="min-h-0 flex-1 overflow-y-auto border-t border-hairline p-5 outline-offset-[-2px]"
      >
        {children}
      </div>
      {foot && (
        <footer className="shrink-0 border-t border-hairline px-3 py-1.5">{foot}</footer>
      )}
    </section>
  );
}

/** Whether a panel lies over the page now, so that what it leads to is hidden. */
export function isOverPage(): boolean {
  return !matchMedia(WIDE).matches;
}

const WIDE = "(min-width: 64rem)";
/** Where the sidebar has room beside the page and a panel. */
const WIDER = "(min-width: 80rem)";

function useMatches(media: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(media);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(media).matches);
}
