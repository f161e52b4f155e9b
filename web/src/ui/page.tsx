import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { BackLink } from "./back-link.tsx";
import { useDocumentTitle } from "./document-title.ts";
import { join } from "./join.ts";

interface PageProps {
  title: string;
  /** The way to the list of all things of its kind; it stands in the bar. */
  back?: { to: string; label: string } | undefined;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** Default `list`; `full`: the whole width, for administration. */
  width?: keyof typeof WIDTHS;
  children: ReactNode;
}

const WIDTHS = {
  list: "max-w-[calc(60rem+3rem)]",
  measure: "max-w-[calc(44rem+3rem)]",
  full: "",
} as const;

/** What an arrow key scrolls. */
const LINE_PX = 40;
/** Of what is seen: a line of it stays in sight. */
const PAGE_SHARE = 0.875;

/**
 * The frame of an area. All of it scrolls below a bar, and stands on one left edge. Once the title
 * has scrolled away, the bar shows it.
 */
export function Page({ actions, children, ...frame }: PageProps) {
  return (
    <PageFrame {...frame}>
      <header className="mb-5 flex flex-wrap items-start gap-2 pt-1 md:pt-3">
        <PageTitle title={frame.title} />
        {actions && (
          <div className="flex min-w-0 flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      {children}
    </PageFrame>
  );
}

/** The same for a page that places its title itself. */
export function PageFrame({ title, back, width = "list", children }: PageProps) {
  useDocumentTitle(title);
  const box = useRef<HTMLDivElement>(null);
  useScrollKeys(box);
  const sides = join("mx-auto w-full px-4 md:px-6", WIDTHS[width]);
  return (
    <div
      ref={box}
      className="h-full overflow-x-hidden overflow-y-auto pb-20 [scrollbar-gutter:stable]"
    >
      <div
        className={
          "scrolled-hairline sticky top-0 z-10 flex h-13 items-center bg-page " +
          "pointer-coarse:h-14 print:hidden"
        }
      >
        <div className={join(sides, "flex min-w-0 items-center gap-3 pl-14 md:pl-6")}>
          {back && <BackLink {...back} />}
          <div
            aria-hidden
            // drawn by the style, so that it is no part of the text
            data-title={title}
            className={
              "scrolled-title min-w-0 flex-1 truncate font-medium before:content-[attr(data-title)]"
            }
          />
        </div>
      </div>
      <div className={sides}>{children}</div>
    </div>
  );
}

export function PageTitle({ title }: { title: string }) {
  return (
    <h1
      className={join(
        "flex-1 basis-40 pt-0.5 text-2xl sm:basis-48",
        // its words stay whole: rather the buttons go below it
        isShort(title) ? "min-w-min" : "min-w-0 wrap-anywhere",
      )}
      title={title}
    >
      <bdi>{title}</bdi>
    </h1>
  );
}

/** In characters: what fits a narrow phone, as large as titles are. */
const MAX_WORD = 16;

function isShort(title: string): boolean {
  return title.split(/\s+/).every((word) => word.length <= MAX_WORD);
}

/**
 * Lets the keys scroll a box that fills the window, as they scroll a document: browsers do so only
 * once something in it has the focus, and then the nearest box that scrolls.
 */
function useScrollKeys(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = box;
      if (!current || event.defaultPrevented || !isFree(event)) return;
      const top = targetOf(event, current);
      if (top === undefined) return;
      event.preventDefault();
      current.scrollTo({ top });
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [box]);
}

/** Whether nothing else takes the key: nothing has the focus, or the link that led here. */
function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return false;
  if (!(target instanceof Element)) return false;
  return target.matches("body, main, a[data-status=active], a[aria-current]");
}

function targetOf({ key, shiftKey }: KeyboardEvent, box: HTMLElement): number | undefined {
  const { scrollTop, scrollHeight, clientHeight } = box;
  const page = clientHeight * PAGE_SHARE;
  switch (key) {
    case "ArrowDown":
      return scrollTop + LINE_PX;
    case "ArrowUp":
      return scrollTop - LINE_PX;
    case "PageDown":
      return scrollTop + page;
    case "PageUp":
      return scrollTop - page;
    case " ":
      return scrollTop + (shiftKey ? -page : page);
    case "Home":
      return 0;
    case "End":
      return scrollHeight;
    default:
      return undefined;
  }
}
