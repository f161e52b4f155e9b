import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Bot,
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
  useEffect,
  useId,
  useState,
} from "react";
import { Dialog } from "../ui/dialog.tsx";
import { join } from "../ui/join.ts";
import { namedThingsQuery } from "./palette-queries.ts";
import { meQuery, searchConversationsQuery } from "./queries.ts";
import { useAreas } from "./use-areas.ts";
import { useShellTexts } from "./texts.ts";
import { chooseTheme } from "./theme.ts";
import { isComposing } from "../ui/is-composing.ts";

interface PaletteProps {
  /** What was typed before it was there. */
  typed: RefObject<string>;
  onClose: () => void;
}

interface Entry {
  key: string;
  label: string;
  icon: LucideIcon;
  onChoose: () => void;
}

/**
 * Finds a conversation, an area, a command, an agent, a document or a template. Source: WAI-ARIA
 * APG, "Combobox".
 */
export function Palette({ typed, onClose }: PaletteProps) {
  const texts = useShellTexts();
  const [query, setQuery] = useState(() => typed.current);
  useEffect(() => {
    typed.current = "";
  }, [typed]);
  const entries = useEntries(query);
  const [current, setCurrent] = useState(0);
  const listId = useId();
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.onChoose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step)
      setCurrent((at) => (at + step + entries.length) % Math.max(1, entries.length));
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
          setCurrent(0);
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
            onPoint={() => setCurrent(at)}
            onChoose={() => choose(entry)}
          />
        ))}
      </ul>
      {entries.length === 0 && (
        <p className="px-4 pb-4 text-muted">{texts.palette.nothing}</p>
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
      <bdi className="truncate">{entry.label}</bdi>
    </li>
  );
}

const THINGS = {
  agent: { icon: Bot, to: "/agents/$id" },
  document: { icon: FileText, to: "/documents/d/$id" },
  template: { icon: TextQuote, to: "/templates/$id" },
} as const;

function useEntries(query: string): Entry[] {
  const texts = useShellTexts();
  const navigate = useNavigate();
  const asked = useDeferredValue(query.trim());
  const { data: found } = useQuery(searchConversationsQuery(asked));
  const { data: me } = useQuery(meQuery);
  const { data: things } = useQuery(namedThingsQuery(asked, me?.permissions ?? []));
  const areas = useAreas();
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
      onChoose: () => chooseTheme(theme),
    })),
  ];
  const words = query.trim().toLowerCase();
  const conversations = (found?.items ?? []).map(({ id, title }) => ({
    key: id,
    label: title,
    icon: MessageSquare,
    onChoose: () => void navigate({ to: "/c/$id", params: { id } }),
  }));
  const named = (things ?? []).map(({ kind, id, name }) => ({
    key: id,
    label: name,
    icon: THINGS[kind].icon,
    onChoose: () => void navigate({ to: THINGS[kind].to, params: { id } }),
  }));
  return [
    ...commands.filter(({ label }) => label.toLowerCase().includes(words)),
    ...conversations,
    ...named,
  ];
}
