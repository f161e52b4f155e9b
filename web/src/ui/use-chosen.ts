import { type KeyboardEvent, useRef, useState } from "react";
import { rangeBetween } from "./range-between.ts";

/** What is chosen in a list. */
export interface Chosen {
  /** In the order of the list. What left the list is not chosen any more. */
  ids: string[];
  has: (id: string) => boolean;
  isAll: boolean;
  /** How many rows can be chosen. */
  count: number;
  /** Whether what the list loads from now on is chosen too. */
  isEverything: boolean;
  /** With `isRange` also everything between this and what was chosen before. */
  choose: (id: string, isChosen: boolean, isRange: boolean) => void;
  all: () => void;
  /** All, and what the list loads from now on, until one of them is changed. */
  everything: () => void;
  none: () => void;
  /** For the element around the list and its bar. */
  area: { "data-choosing": ""; onKeyDown: (event: KeyboardEvent) => void };
}

/**
 * Rows that are chosen by a `ChooseBox` each: with Shift as a range, by the arrows from box to box,
 * with Shift along the way. Ctrl A chooses all, Escape none.
 * @param listed the ids of all rows that can be chosen.
 */
export function useChosen(listed: readonly string[]): Chosen {
  const [kept, setKept] = useState<ReadonlySet<string> | "everything">(new Set());
  const last = useRef<string>(undefined);
  const isEverything = kept === "everything";
  const ids = isEverything ? [...listed] : listed.filter((id) => kept.has(id));
  const all = () => setKept(new Set(listed));
  const none = () => setKept(new Set());
  return {
    ids,
    has: (id) => (isEverything ? listed.includes(id) : kept.has(id)),
    isAll: ids.length > 0 && ids.length === listed.length,
    count: listed.length,
    isEverything,
    all,
    everything: () => setKept("everything"),
    none,
    choose(id, isChosen, isRange) {
      const changed = isRange ? rangeBetween(listed, last.current, id) : [id];
      last.current = id;
      setKept((before) => {
        const next = new Set(before === "everything" ? listed : before);
        for (const one of changed)
          if (isChosen) next.add(one);
          else next.delete(one);
        return next;
      });
    },
    area: { "data-choosing": "", onKeyDown },
  };
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && ids.length > 0) none();
    else if (!isBox(event.target)) return;
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) all();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") moveTo(event);
    else return;
    event.preventDefault();
  }
}

/** Focuses the next box, and with Shift chooses it like the one before. */
function moveTo({ key, shiftKey, currentTarget, target }: KeyboardEvent): void {
  const boxes = [...currentTarget.querySelectorAll("input[data-choose]:enabled")];
  const from = target as HTMLInputElement; // the caller made sure
  const next = boxes[boxes.indexOf(from) + (key === "ArrowDown" ? 1 : -1)];
  if (!(next instanceof HTMLInputElement)) return;
  next.focus();
  if (!shiftKey) return;
  if (!from.checked) from.click();
  if (!next.checked) next.click();
}

function isBox(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.dataset["choose"] !== undefined;
}
