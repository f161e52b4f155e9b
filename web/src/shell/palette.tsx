import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Bot,
  CornerDownRight,
  FileText,
  type LucideIcon,
  MessageSquare,
  Moon,
  SquarePen,
  Sun,
  TextQuote,
} from "lucide-react";
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useId,
  useState,
} from "react";
import { Dialog } from "../ui/dialog.tsx";
import { join } from "../ui/join.ts";
import { byMatch } from "./by-match.ts";
import type { PalettePage } from "./palette-page.ts";
import { namedThingsQuery } from "./palette-queries.ts";
import { meQuery, searchConversationsQuery } from "./queries.ts";
import { useTypedAhead } from "./typed-ahead.tsx";
import { useAreas } from "./use-areas.ts";
import { useShellTexts } from "./texts.ts";
import { useChoose } from "./preferences.ts";
import { isComposing } from "../ui/is-composing.ts";

export interface PaletteProps {
  /** What was typed before it was there. */
  typed: RefObject<string>;
  /** The pages of the areas. */
  pages: readonly PalettePage[];
  onClose: () => void;
}

interface Entry {
  key: string;
  label: string;
  /** What kind of thing it is, or where. */
  note?: string | undefined;
  icon: LucideIcon;
  onChoose: () => void;
}

/**
 * Finds a conversation, a page, a command, an agent, a document or a template. Source: WAI-ARIA
 * APG, "Combobox".
 */
export function Palette({ typed, pages, onClose }: PaletteProps) {
  const texts = useShellTexts();
  const [query, setQuery] = useState("");
  useTypedAhead(typed, setQuery);
  const { entries, isSearching } = useEntries(query, pages);
  // by its key: what is found later may come before it
  const [chosen, setChosen] = useState<string>();
  const current = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosen),
  );
  const listId = useId();
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.onChoose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen(entries[(current + step + entries.length) % entries.length]?.key);
    else if (event.key === "Enter") choose(entries[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={texts.search} hideTitle size="search" onClose={onClose}>
      <input
        role="combobox"
        aria-label={texts.palette.placeholder}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={entries[current] && `${listId}-${current}`}
        placeholder={texts.palette.placeholder}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={onKeyDown}
        className="w-full border-b border-hairline bg-page px-5 py-4 text-base outline-none"
      />
      <ul id={listId} role="listbox" aria-label={texts.search} className="p-2">
        {entries.map((entry, at) => (
          <Option
            key={entry.key}
            id={`${listId}-${at}`}
            entry={entry}
            isCurrent={at === current}
            onPoint={() => setChosen(entry.key)}
            onChoose={() => choose(entry)}
          />
        ))}
      </ul>
      {entries.length === 0 && (
        <p role="status" className="px-4 pb-4 text-muted">
          {isSearching ? texts.palette.searching : texts.palette.nothing}
        </p>
      )}
    </Dialog>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  isCurrent: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, entry, isCurrent, onPoint, onChoose }: OptionProps) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={isCurrent}
      onMouseMove={onPoint}
      onClick={onChoose}
      className={join(
        "flex min-h-9 items-center gap-2.5 rounded-md px-3 pointer-coarse:min-h-11",
        isCurrent && "bg-hover",
      )}
    >
      <entry.icon
        aria-hidden
        size={16}
        strokeWidth={1.75}
        className="shrink-0 text-muted"
      />
      <bdi className="min-w-0 truncate">{entry.label}</bdi>
      {entry.note !== undefined && (
        <span className="ml-auto max-w-[40%] shrink-0 truncate text-sm text-muted">
          {entry.note}
        </span>
      )}
    </li>
  );
}

const THINGS = {
  agent: { icon: Bot, to: "/agents/$id" },
  document: { icon: FileText, to: "/documents/d/$id" },
  template: { icon: TextQuote, to: "/templates/$id" },
} as const;

function useEntries(query: string, pages: readonly PalettePage[]) {
  const texts = useShellTexts();
  const navigate = useNavigate();
  const asked = useDeferredValue(query.trim());
  const conversationsFound = useQuery(searchConversationsQuery(asked));
  const { data: me } = useQuery(meQuery);
  const thingsFound = useQuery(namedThingsQuery(asked, me?.permissions ?? []));
  const areas = useAreas();
  const choose = useChoose();
  const commands: Entry[] = [
    ...areas.map(({ to, label, icon }) => ({
      key: to,
      label: texts.areas[label],
      icon: to === "/" ? SquarePen : icon,
      onChoose: () => void navigate({ to }),
    })),
    ...(["light", "dark"] as const).map((theme) => ({
      key: theme,
      label: `${texts.theme}: ${texts.themes[theme]}`,
      icon: theme === "light" ? Sun : Moon,
      onChoose: () => choose({ theme }),
    })),
  ];
  const words = query.trim().toLowerCase();
  // an installation has many pages: they are listed once somebody looks for one
  const found = words === "" ? [] : pages.filter((page) => isNamed(page, words));
  const pageEntries = found.map(({ to, label, area }) => ({
    key: `${to} ${label}`,
    label,
    note: area,
    icon: CornerDownRight,
    onChoose: () => void navigate({ to }),
  }));
  const conversations = (conversationsFound.data?.items ?? []).map(({ id, title }) => ({
    key: id,
    label: title,
    note: texts.palette.kinds.conversation,
    icon: MessageSquare,
    onChoose: () => void navigate({ to: "/c/$id", params: { id } }),
  }));
  const named = (thingsFound.data ?? []).map(({ kind, id, name }) => ({
    key: id,
    label: name,
    note: texts.palette.kinds[kind],
    icon: THINGS[kind].icon,
    onChoose: () => void navigate({ to: THINGS[kind].to, params: { id } }),
  }));
  return {
    entries: byMatch(words, [
      ...commands.filter(({ label }) => label.toLowerCase().includes(words)),
      ...pageEntries,
      ...conversations,
      ...named,
    ]),
    isSearching:
      conversationsFound.isLoading || thingsFound.isLoading || asked !== query.trim(),
  };
}

/** Whether each of these words stands in the name of a page or of its area. */
function isNamed({ label, area = "" }: PalettePage, words: string): boolean {
  const name = label.toLowerCase();
  if (name.includes(words)) return true;
  const whole = `${area} ${label}`.toLowerCase();
  const parts = words.split(/\s+/);
  return parts.length > 1 && parts.every((part) => whole.includes(part));
}
