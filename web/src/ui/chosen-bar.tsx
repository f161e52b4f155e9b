import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useChoosingTexts } from "./choosing-texts.ts";
import { IconButton } from "./icon-button.tsx";
import type { Chosen } from "./use-chosen.ts";

interface ChosenBarProps {
  chosen: Chosen;
  /** What can be done with them. */
  children: ReactNode;
}

/** Actions on what is chosen in a list: above it, on a phone at the foot of the screen. */
export function ChosenBar({ chosen, children }: ChosenBarProps) {
  const texts = useChoosingTexts();
  const label = texts.chosen(chosen.ids.length);
  if (chosen.ids.length === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label={label}
      className={
        "z-10 flex min-h-11 flex-wrap items-center gap-1 rounded-lg bg-accent-soft py-1 pr-1 " +
        "max-md:fixed max-md:inset-x-2 max-md:bottom-2 max-md:shadow-3 md:sticky md:top-13"
      }
    >
      <AllBox chosen={chosen} />
      <span role="status" className="mr-2 font-semibold whitespace-nowrap">
        {label}
      </span>
      {children}
      <span className="flex-1" />
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

/** Chooses all rows of a list, or none if all are chosen. */
export function AllBox({ chosen }: { chosen: Chosen }) {
  const texts = useChoosingTexts();
  const isSome = chosen.ids.length > 0 && !chosen.isAll;
  return (
    <label className="flex size-8 shrink-0 items-center justify-center select-none pointer-coarse:size-11">
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
    </label>
  );
}

/** The bar, and with it the focus, is about to go. */
function focusChosen(inBar: HTMLElement): void {
  const area = inBar.closest("[data-choosing]");
  area?.querySelector<HTMLElement>("input[data-choose]:checked")?.focus();
}
