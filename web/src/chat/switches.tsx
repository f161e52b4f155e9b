import { useQuery } from "@tanstack/react-query";
import {
  Code,
  FileSearch,
  Globe,
  Image,
  NotebookPen,
  Plug,
  Table2,
  Telescope,
  type LucideIcon,
  Workflow,
  Wrench,
} from "lucide-react";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { Link } from "@tanstack/react-router";
import {
  type Ability,
  keepSwitches,
  knownSwitches,
  type ToolsOfServer,
} from "../shell/known-switches.ts";
import { meQuery, usePermission } from "../shell/queries.ts";
import { join } from "../ui/join.ts";
import { Menu, type MenuGroup, type MenuItem } from "../ui/menu.tsx";
import { type Toolset, toolServersQuery, toolsetsQuery } from "./switch-queries.ts";
import { useSwitchTexts } from "./switch-texts.ts";

interface SwitchesProps {
  /** Names of tools and of toolsets, as messages have them. */
  tools: readonly string[];
  onChange: (tools: string[]) => void;
}

/** The abilities with a switch of their own, in this order; the others are in the menu. */
const SWITCHES: readonly { name: "documents" | "web" | "code"; icon: LucideIcon }[] = [
  { name: "documents", icon: FileSearch },
  { name: "web", icon: Globe },
  { name: "code", icon: Code },
];

/** All abilities in the order of every menu; those that are not known here come after. */
const ICONS: Record<string, LucideIcon | undefined> = {
  documents: FileSearch,
  web: Globe,
  code: Code,
  images: Image,
  canvas: NotebookPen,
  tables: Table2,
  research: Telescope,
  flows: Workflow,
};
const ORDER = Object.keys(ICONS);

/** More than these of what is on in the menu are only counted. */
const MAX_CHIPS = 2;

/** What the model may use in chats without an agent: one click switches it. */
export function Switches({ tools, onChange }: SwitchesProps) {
  const texts = useSwitchTexts();
  const { toolsets, servers, isKnown } = useOffered();
  useEffect(() => {
    if (!isKnown || !toolsets || !servers) return;
    const usable = new Set([
      ...toolsets.map(nameOf),
      ...servers.flatMap((server) => server.tools),
    ]);
    const kept = tools.filter((name) => usable.has(name));
    // a tool that is gone, or that roles forbid now, would make the server refuse the message
    if (kept.length < tools.length) onChange(kept);
  }, [isKnown, toolsets, servers, tools, onChange]);
  const isNarrow = useSyncExternalStore(onNarrow, () => NARROW.matches);
  if (!toolsets || !servers) return null;
  const toggle = (names: readonly string[], isOn: boolean) => {
    const others = tools.filter((name) => !names.includes(name));
    onChange(isOn ? others : [...others, ...names]);
  };
  const groups = menuGroups({ tools, toolsets, servers, toggle, texts, isNarrow });
  // a switch that is on stands beside the menu
  const isCounted = ({ checked, key }: MenuItem) =>
    checked && !SWITCHES.some(({ name }) => key === `toolset:${name}`);
  const on = groups.flatMap(({ items }) => items).filter(isCounted);
  const count = on.length;
  const hasSwitch = SWITCHES.some(({ name }) => tools.includes(nameOf({ name })));
  return (
    <>
      {SWITCHES.map(({ name, icon: Icon }) => {
        const toolset = toolsets.find((one) => one.name === name);
        if (!toolset) return null;
        const isOn = tools.includes(nameOf(toolset));
        if (isNarrow && !isOn) return null;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isOn}
            title={hintOf(toolset, texts)}
            onClick={() => toggle([nameOf(toolset)], isOn)}
            className={join(PILL, isOn && ON)}
          >
            <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
            <span className={join("@max-[32rem]:sr-only", !isOn && "@max-[40rem]:sr-only")}>
              {texts.names[name]}
            </span>
          </button>
        );
      })}
      {!isNarrow &&
        on.slice(0, MAX_CHIPS).map((item) => <Chip key={item.key} item={item} />)}
      {groups.length > 0 && (
        <Menu
          label={
            isNarrow && count > 0
              ? texts.toolsOn(count, on.map(nameOfItem))
              : texts.tools(count)
          }
          side="roomier"
          isMany
          triggerClass={join(PILL, count > 0 && ON)}
          trigger={
            isNarrow && count > 0 ? (
              <OnAPhone on={on} hasRoom={!hasSwitch} />
            ) : (
              <>
                <Wrench aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
                <span className="@max-[40rem]:sr-only">{texts.names.tools}</span>
                {count > 0 && <span className="tabular-nums"> {count}</span>}
              </>
            )
          }
          groups={groups}
        />
      )}
    </>
  );
}

/** Says that the web is switched on and nothing searches it, and leads to where that is mended. */
export function WebNotice() {
  const texts = useSwitchTexts();
  const { toolsets } = useOffered();
  if (!toolsets?.some(({ cannotSearch }) => cannotSearch)) return null;
  return (
    <p role="status" className="mx-auto w-full max-w-measure px-4 pb-1 text-xs text-warn">
      {texts.withoutSearch}{" "}
      <Link to="/admin/web-search" className="underline">
        {texts.addEngine}
      </Link>
    </p>
  );
}

/**
 * What can be switched on, as this browser knows it until the server answers. `isKnown`: it has
 * answered.
 */
function useOffered() {
  const { data: me } = useQuery(meQuery);
  const mayMend = usePermission("tool:administer");
  const { data: listed } = useQuery(toolsetsQuery);
  const { data: servers } = useQuery(toolServersQuery);
  const isKnown = listed !== undefined && servers !== undefined && me !== undefined;
  const userId = me?.id;
  const shown = useMemo(() => {
    if (!listed || !servers) return knownSwitches(userId);
    return { toolsets: listed.map(toAbility), servers };
  }, [listed, servers, userId]);
  useEffect(() => {
    if (isKnown && shown && userId) keepSwitches(userId, shown);
  }, [isKnown, shown, userId]);
  const toolsets = useMemo(
    // others could not have it searched
    () => shown?.toolsets.filter(({ cannotSearch }) => mayMend || !cannotSearch),
    [shown, mayMend],
  );
  return { toolsets, servers: shown?.servers, isKnown };
}

function toAbility({ name, title, tools }: Toolset): Ability {
  const cannotSearch = name === "web" && tools.some(({ missing }) => missing);
  return { name, title, cannotSearch };
}

/** What is on in the menu, where no chips have room: one by its name, several by their icons. */
function OnAPhone({ on, hasRoom }: { on: readonly MenuItem[]; hasRoom: boolean }) {
  const [one, ...others] = on;
  return (
    <>
      {on.slice(0, MAX_CHIPS).map(({ key, icon: Icon = Wrench }) => (
        <Icon key={key} aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      ))}
      {others.length === 0 && hasRoom && (
        <bdi className="max-w-20 truncate @max-[20rem]:sr-only">{one?.label}</bdi>
      )}
      {on.length > MAX_CHIPS && <span className="tabular-nums"> {on.length}</span>}
    </>
  );
}

const nameOfItem = ({ label }: MenuItem) => label;

/** What was switched on in the menu: in sight, and switched off with a click. */
function Chip({ item: { label, icon: Icon = Wrench, onChoose } }: { item: MenuItem }) {
  const texts = useSwitchTexts();
  return (
    <button
      type="button"
      title={texts.turnOff(label)}
      aria-pressed
      onClick={onChoose}
      className={join(PILL, ON, "min-w-0 shrink!")}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <bdi className="max-w-32 truncate @max-[40rem]:sr-only">{label}</bdi>
    </button>
  );
}

/** Where a row of all switches leaves no room for the name of who answers. */
const NARROW = matchMedia("(max-width: 26rem)");

function onNarrow(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

const PILL =
  "inline-flex min-h-8.5 shrink-0 items-center gap-1.5 rounded-full px-2.5 text-sm " +
  "font-medium text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11 " +
  "pointer-coarse:min-w-11 justify-center";
// also below the pointer
const ON = "bg-accent-soft! text-accent!";

function nameOf({ name }: Pick<Ability, "name">): string {
  return `toolset:${name}`;
}

/** What it does, as far as nothing is missing for it. */
function hintOf(
  { name, cannotSearch }: Ability,
  texts: ReturnType<typeof useSwitchTexts>,
): string | undefined {
  const hints: Partial<Record<string, string>> = texts.hints;
  return cannotSearch ? texts.withoutSearch : hints[name];
}

interface GroupsOf {
  tools: readonly string[];
  toolsets: readonly Ability[];
  servers: readonly ToolsOfServer[];
  toggle: (names: readonly string[], isOn: boolean) => void;
  texts: ReturnType<typeof useSwitchTexts>;
  /** The switches are in the menu, too. */
  isNarrow: boolean;
}

function menuGroups(parts: GroupsOf): MenuGroup[] {
  const { tools, toolsets, servers, toggle, texts, isNarrow } = parts;
  const isSwitch = ({ name }: Ability) => SWITCHES.some((one) => one.name === name);
  const switches = isNarrow ? toolsets.filter(isSwitch) : [];
  const others = toolsets.filter((toolset) => !isSwitch(toolset));
  const names: Partial<Record<string, string>> = texts.names;
  const place = ({ name }: Ability) =>
    ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length;
  const sorted = [...switches, ...others].toSorted((one, two) => place(one) - place(two));
  const abilities = sorted.map((toolset) => {
    const name = nameOf(toolset);
    const isOn = tools.includes(name);
    const label = names[toolset.name] ?? toolset.title;
    const icon = ICONS[toolset.name] ?? Wrench;
    return {
      key: name,
      label,
      note: hintOf(toolset, texts),
      icon,
      checked: isOn,
      onChoose: () => toggle([name], isOn),
    };
  });
  const ofServers = servers.map((server) => {
    const isOn = server.tools.every((name) => tools.includes(name));
    return {
      key: server.name,
      label: server.name,
      icon: Plug,
      note: server.titles.join(", "),
      checked: isOn,
      onChoose: () => toggle(server.tools, isOn),
    };
  });
  return [
    { key: "abilities", items: abilities },
    { key: "servers", label: texts.servers, items: ofServers },
  ].filter(({ items }) => items.length > 0);
}
