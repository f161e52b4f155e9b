import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { findMatches } from "./find-matches.ts";
import { markWords } from "./mark-words.ts";
import { useChatTexts } from "./texts.ts";
import type { ThreadMessage } from "./queries.ts";

interface FindBarProps {
  messages: readonly ThreadMessage[];
  scrollTo: (index: number) => void;
  /** Present while there are older messages. */
  loadOlder: (() => void) | undefined;
  onClose: () => void;
}

/** Searches the whole thread: the browser's own search sees only the mounted rows. */
export function FindBar({ messages, scrollTo, loadOlder, onClose }: FindBarProps) {
  const texts = useChatTexts();
  const [words, setWords] = useState("");
  // by its message: places change while older messages load
  const [current, setCurrent] = useState<string>();
  const matches = findMatches(messages, words);
  const at = Math.max(
    0,
    matches.findIndex((index) => messages[index]?.id === current),
  );
  const show = (next: number, found = matches, searched = words) => {
    const index = found[(next + found.length) % found.length];
    setCurrent(index === undefined ? undefined : messages[index]?.id);
    if (index === undefined) return;
    scrollTo(index);
    markWords(searched);
  };
  useEffect(() => loadOlder?.(), [loadOlder]);
  useEffect(() => () => markWords(""), []);
  return (
    <search
      className={
        "absolute top-11 right-4 z-20 flex items-center gap-1 rounded-lg border border-hairline " +
        "bg-raised p-1 shadow-lg"
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
          if (event.key === "Enter") show(at + (event.shiftKey ? 1 : -1));
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
