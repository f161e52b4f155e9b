import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { useChoosingTexts } from "./choosing-texts.ts";
import { IN_MARGIN } from "./chosen-row.ts";
import { IconButton } from "./icon-button.tsx";
import { join } from "./join.ts";
import { notify } from "./notices.tsx";
import type { Chosen } from "./use-chosen.ts";

/** A list that is loaded page by page. */
interface PagedList {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
}

interface ChosenBarProps {
  chosen: Chosen;
  /** What is chosen from, where more of it may be loaded. */
  list?: PagedList | undefined;
  /**
   * Whether the list has a head with a box for all, on a wide screen or everywhere: else that
   * stands here.
   */
  hasHead?: "wide" | "always";
  className?: string;
  /** What can be done with them. */
  children: ReactNode;
}

/**
 * Above a list the box that chooses all of it, and in its place the actions once something is
 * chosen: on a phone at the foot of the screen.
 */
export function ChosenBar(props: ChosenBarProps) {
  const { chosen, hasHead, className } = props;
  if (chosen.count === 0) return null;
  const isChosen = chosen.ids.length > 0;
  return (
    <>
      {/* stays on a phone, where the bar is at the foot: nothing moves */}
      {hasHead !== "always" && (
        <div
          className={join(
            "flex h-9 items-center text-sm text-muted",
            (isChosen || hasHead) && "md:hidden",
            hasHead === "wide" && IN_MARGIN,
            className,
          )}
        >
          <AllBox chosen={chosen} isNamed />
        </div>
      )}
      {isChosen && <Bar {...props} />}
    </>
  );
}

/** On a phone their words stand below their pictures, so that all of them have room in one line. */
const ACTIONS =
  "contents max-md:flex max-md:min-w-0 max-md:flex-1 max-md:justify-evenly max-md:gap-1 " +
  "max-md:[&>button]:flex-col max-md:[&>button]:gap-0.5 max-md:[&>button]:px-1.5! " +
  "max-md:[&>button]:text-xs max-md:[&>button]:leading-tight";

/** What can be done with the chosen: one line, on a phone at the foot of the screen. */
function Bar({ chosen, list, hasHead, className, children }: ChosenBarProps) {
  const texts = useChoosingTexts();
  const [isLoading, setLoading] = useState(false);
  const label = texts.chosen(chosen.ids.length);
  return (
    <div
      role="toolbar"
      aria-label={label}
      className={join(
        "z-10 flex min-h-11 flex-wrap items-center gap-1 rounded-lg bg-accent-soft py-1 pr-1",
        // as high as what it takes the place of
        !hasHead && "md:min-h-9 md:py-0",
        "max-md:fixed max-md:inset-x-2 max-md:bottom-2 max-md:shadow-3 md:sticky md:top-13",
        // it lies over rows that are chosen, and must not look like one of them
        "max-md:border max-md:border-hairline-strong max-md:bg-raised",
        className,
      )}
    >
      {/* on a phone it stays above the list */}
      <span className="max-md:hidden">
        <AllBox chosen={chosen} />
      </span>
      <span
        role="status"
        className="font-semibold max-md:w-min max-md:pl-3 max-md:text-xs md:mr-2 md:whitespace-nowrap"
      >
        {label}
      </span>
      {list?.hasNextPage && chosen.isAll && (
        <AllFound
          chosen={chosen}
          list={list}
          isLoading={isLoading}
          setLoading={setLoading}
        />
      )}
      <span inert={isLoading} className={ACTIONS}>
        {children}
      </span>
      <span className="flex-1 max-md:hidden" />
      <IconButton
        icon={X}
        label={texts.none}
        onClick={({ currentTarget }) => {
          focusChosen(currentTarget);
          chosen.none();
        }}
      />
    </div>
  );
}

/** More would keep the server and the page busy for long. */
const MAX_PAGES = 20;

interface AllFoundProps {
  chosen: Chosen;
  list: PagedList;
  isLoading: boolean;
  setLoading: (isLoading: boolean) => void;
}

/** Chooses also what the list has not loaded yet, and loads it. */
function AllFound({ chosen, list, isLoading, setLoading }: AllFoundProps) {
  const texts = useChoosingTexts();
  const load = async () => {
    chosen.everything();
    setLoading(true);
    let rest = await list.fetchNextPage();
    for (let page = 1; page < MAX_PAGES && rest.hasNextPage && !rest.isError; page += 1)
      rest = await list.fetchNextPage();
    setLoading(false);
    if (rest.hasNextPage) notify(texts.notAll);
  };
  if (chosen.isEverything && !isLoading) return null;
  return (
    <Button look="quiet" busy={isLoading} onClick={() => void load()}>
      {texts.allFound}
    </Button>
  );
}

interface AllBoxProps {
  chosen: Chosen;
  /** Says beside the box what it does. */
  isNamed?: boolean;
}

/** Chooses all rows of a list, or none if all are chosen. */
export function AllBox({ chosen, isNamed }: AllBoxProps) {
  const texts = useChoosingTexts();
  const isSome = chosen.ids.length > 0 && !chosen.isAll;
  return (
    <label className="flex min-h-8 shrink-0 items-center select-none pointer-coarse:min-h-11">
      <span className="flex w-8 justify-center pointer-coarse:w-11">
        <input
          ref={(box) => {
            if (box) box.indeterminate = isSome;
          }}
          type="checkbox"
          aria-label={texts.all}
          checked={chosen.isAll}
          onChange={() => (chosen.isAll ? chosen.none() : chosen.all())}
          className="size-4 accent-accent"
        />
      </span>
      {isNamed && <span className="pl-1">{texts.all}</span>}
    </label>
  );
}

/** The bar, and with it the focus, is about to go. */
function focusChosen(inBar: HTMLElement): void {
  const area = inBar.closest("[data-choosing]");
  area?.querySelector<HTMLElement>("input[data-choose]:checked")?.focus();
}
