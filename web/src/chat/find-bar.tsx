import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
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
  /** Present while there are older messages. */
  loadOlder: (() => void) | undefined;
  /** What to look for at first. */
  wanted: string | undefined;
  onClose: () => void;
}

/** Searches the whole thread: the browser's own search sees only the mounted rows. */
export function FindBar(props: FindBarProps) {
  const { messages, scrollTo, loadOlder, typed, wanted = "", onClose } = props;
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
  useEffect(() => loadOlder?.(), [loadOlder]);
  const isLost = current === undefined && matches.length > 0;
  // the first place, once the thread is there and has loaded it
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector(THREAD)) show(matches.length - 1);
    }, MOUNT_MS);
    return () => clearInterval(timer);
  });
  useEffect(() => () => markWords("", undefined), []);
  return (
    <search
      className={
        "absolute top-13 right-4 z-20 flex items-center gap-1 rounded-lg border bg-raised p-1 " +
        "border-hairline-strong shadow-3 pointer-coarse:top-14"
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
          show(found.length - 1, found, event.target.value);
        }}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") show(at + (event.shiftKey ? -1 : 1));
          if (event.key === "Escape") onClose();
        }}
        className="min-h-8 w-48 rounded-md bg-transparent px-2 outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      <span role="status" className="min-w-16 text-xs text-muted">
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
    place.startContainer.parentElement?.scrollIntoView({ block: "center" });
  }, MOUNT_MS);
}

function rangesOf(root: Element, wanted: string): Range[] {
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
