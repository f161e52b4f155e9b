import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTypedAhead } from "../shell/typed-ahead.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { findMatches, fold, type Match } from "./find-matches.ts";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";
import { isComposing } from "../ui/is-composing.ts";

interface FindBarProps {
  /** What was typed before it was there. */
  typed: RefObject<string>;
  messages: readonly ThreadMessage[];
  scrollTo: (index: number) => void;
  /** The row at the top of the view. */
  firstVisible: () => number;
  /** Present while older messages can be loaded. */
  loadOlder: (() => void) | undefined;
  /** Whether there are messages that are not loaded. */
  hasOlder: boolean;
  /** What to look for at first. */
  wanted: string | undefined;
  onClose: () => void;
}

/** Searches the whole thread: the browser's own search sees only the mounted rows. */
export function FindBar(props: FindBarProps) {
  const { messages, scrollTo, firstVisible, loadOlder, hasOlder } = props;
  const { typed, wanted = "", onClose } = props;
  const texts = useChatTexts();
  const [words, setWords] = useState(wanted);
  useTypedAhead(typed, setWords);
  // by its message: places change while older messages load
  const [current, setCurrent] = useState<{ id: string; nth: number }>();
  const matches = findMatches(messages, words);
  const at = Math.max(
    0,
    matches.findIndex(
      ({ index, nth }) => messages[index]?.id === current?.id && nth === current?.nth,
    ),
  );
  const show = (next: number, found = matches, searched = words) => {
    const match = found[(next + found.length) % found.length];
    const id = match && messages[match.index]?.id;
    setCurrent(match && id !== undefined ? { id, nth: match.nth } : undefined);
    if (match) scrollTo(match.index);
    markWords(searched, match);
  };
  // where one read when the search began: what is typed on begins there, too
  const begin = useRef<Reading>(undefined);
  const showFirst = (found = matches, searched = words) => {
    begin.current ??= whereRead(firstVisible(), messages);
    const first = firstFrom(begin.current, found, { messages, searched });
    if (first >= 0) return show(first, found, searched);
    // it begins again at the first of all, which may be among those that are still to come
    if (!hasOlder) return show(0, found, searched);
    setCurrent(undefined);
    markWords(searched, undefined);
  };
  useEffect(() => loadOlder?.(), [loadOlder]);
  const isLost = current === undefined && matches.length > 0;
  // the first place, once the thread is there and has loaded it
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector(THREAD)) showFirst();
    }, MOUNT_MS);
    return () => clearInterval(timer);
  });
  useEffect(() => () => markWords("", undefined), []);
  return (
    <search
      className={
        "absolute top-14 right-4 z-20 flex max-w-[calc(100%-2rem)] items-center gap-1 " +
        "rounded-lg border border-hairline-strong bg-raised p-1 shadow-3 pointer-coarse:top-15"
      }
    >
      <input
        type="search"
        autoFocus
        aria-label={texts.find}
        placeholder={texts.find}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          const found = findMatches(messages, event.target.value);
          if (event.target.value.trim() === "") begin.current = undefined;
          showFirst(found, event.target.value);
        }}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") show(at + (event.shiftKey ? -1 : 1));
          if (event.key === "Escape") onClose();
        }}
        className="min-h-8 w-48 min-w-0 rounded-md bg-transparent px-2 outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <span role="status" className="min-w-16 shrink-0 text-xs text-muted">
        {words !== "" && texts.matches(matches.length === 0 ? 0 : at + 1, matches.length)}
      </span>
      <IconButton
        icon={ChevronUp}
        label={texts.findPrevious}
        onClick={() => show(at - 1)}
      />
      <IconButton icon={ChevronDown} label={texts.findNext} onClick={() => show(at + 1)} />
      <IconButton icon={X} label={texts.close} onClick={onClose} />
    </search>
  );
}

const THREAD = '[role="log"]';
const NAME = "found";
const CURRENT = "found-current";
/** Rows are mounted a moment after the thread scrolls. */
const MOUNT_MS = 120;

/** The header and this bar cover the top of the thread. */
const COVERED_PX = 112;

/** A message, and how much of it is above the view. */
interface Reading {
  id: string | undefined;
  abovePx: number;
}

function rowOf(index: number): Element | null {
  return document.querySelector(`${THREAD} [data-index="${index}"]`);
}

function whereRead(index: number, messages: readonly ThreadMessage[]): Reading {
  const top = document.querySelector(THREAD)?.getBoundingClientRect().top ?? 0;
  const start = rowOf(index)?.getBoundingClientRect().top ?? top;
  return { id: messages[index]?.id, abovePx: top + COVERED_PX - start };
}

/** The first place at or below where one reads, or -1. */
function firstFrom(
  { id, abovePx }: Reading,
  found: readonly Match[],
  of: { messages: readonly ThreadMessage[]; searched: string },
): number {
  const at = of.messages.findIndex((message) => message.id === id);
  const row = rowOf(at);
  const start = row?.getBoundingClientRect().top ?? 0;
  const places = row ? rangesOf(row, fold(of.searched.trim())) : [];
  const isAbove = (place: Range) => place.getBoundingClientRect().bottom - start <= abovePx;
  const above = places.filter(isAbove).length;
  const isFrom = ({ index, nth }: Match) => index > at || (index === at && nth >= above);
  return found.findIndex(isFrom);
}

/**
 * Marks words in the thread without changing it, and brings one place into sight. Source: CSS
 * Custom Highlight API.
 */
function markWords(words: string, match: Match | undefined): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(NAME);
  CSS.highlights.delete(CURRENT);
  const wanted = fold(words.trim());
  if (wanted === "") return;
  setTimeout(() => {
    const thread = document.querySelector(THREAD);
    if (!thread) return;
    CSS.highlights.set(NAME, new Highlight(...rangesOf(thread, wanted)));
    const row = match && thread.querySelector(`[data-index="${match.index}"]`);
    const places = row ? rangesOf(row, wanted) : [];
    // what is written may show fewer places, such as without the address of a link
    const place = places[Math.min(match?.nth ?? 0, places.length - 1)];
    if (!place) return;
    CSS.highlights.set(CURRENT, new Highlight(place));
    // what is wide scrolls to its side
    place.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
    thread.scrollBy({ top: middleOf(place) - middleOf(thread) });
  }, MOUNT_MS);
}

function middleOf(shown: Range | Element): number {
  const { top, height } = shown.getBoundingClientRect();
  return top + height / 2;
}

function rangesOf(root: Element, wanted: string): Range[] {
  if (wanted === "") return [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { text, places } = foldWithPlaces(node.textContent ?? "");
    for (
      let at = text.indexOf(wanted);
      at >= 0;
      at = text.indexOf(wanted, at + wanted.length)
    ) {
      const range = new Range();
      range.setStart(node, places[at] ?? 0);
      range.setEnd(node, places[at + wanted.length] ?? 0);
      ranges.push(range);
    }
  }
  return ranges;
}

/** A folded text, and where each of its characters stood before, and its end. */
function foldWithPlaces(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  let folded = "";
  let at = 0;
  for (const character of text) {
    const next = fold(character);
    for (let part = 0; part < next.length; part += 1) places.push(at);
    folded += next;
    at += character.length;
  }
  places.push(at);
  return { text: folded, places };
}
