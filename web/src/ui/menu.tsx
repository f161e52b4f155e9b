import type { LucideIcon } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { loadPart } from "../api/load-part.ts";

export interface MenuItem {
  key: string;
  label: string;
  /** A second, muted line. */
  note?: string | undefined;
  icon?: LucideIcon;
  /** In place of an icon: the tile of a thing. */
  tile?: ReactNode;
  /** In a list of choices: whether this is the current one. */
  checked?: boolean;
  isDanger?: boolean;
  disabled?: boolean;
  onChoose: () => void;
  /** A star at its end, by which it becomes a favourite: with the arrow to the right, too. */
  star?: { label: string; isOn: boolean; onToggle: () => void };
}

export interface MenuGroup {
  key: string;
  label?: string;
  items: MenuItem[];
}

/** The button of a menu. */
interface Trigger {
  /** Its accessible name. */
  label: string;
  trigger: ReactNode;
  triggerClass: string;
}

export interface MenuProps extends Trigger {
  groups: MenuGroup[];
  /** `roomier`: above or below, wherever more of the window is. */
  side?: "bottom" | "top" | "roomier";
  align?: "start" | "end";
  /** Its items are switches, of which any number may be on: it stays open. */
  isMany?: boolean;
  /** What is searched. Where it is given, a menu of many items begins with a field for it. */
  search?: string;
  /** Hears that it was opened or closed by its user. */
  onOpenChange?: (isOpen: boolean) => void;
}

/**
 * A button that opens a menu. The code of menus, half as large as all else at first load, is
 * fetched when the page is idle, by `preload`, or once the button is used.
 */
export function menuOf<Props extends Trigger>(
  fetchIt: () => Promise<ComponentType<Props & { isOpenAtFirst: boolean }>>,
) {
  let loaded: ComponentType<Props & { isOpenAtFirst: boolean }> | undefined;
  const preload = async () => {
    loaded = await loadPart(fetchIt);
    return loaded;
  };
  const LateMenu = (props: Props) => {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [wasUsed, setWasUsed] = useState(false);
    useEffect(() => {
      if (wasUsed && !Loaded) void preload().then((part) => setLoaded(() => part));
    }, [wasUsed, Loaded]);
    if (Loaded) return <Loaded {...props} isOpenAtFirst={wasUsed} />;
    return (
      <button
        type="button"
        aria-label={props.label}
        title={props.label}
        aria-haspopup="menu"
        aria-expanded={false}
        className={props.triggerClass}
        onClick={() => setWasUsed(true)}
      >
        {props.trigger}
      </button>
    );
  };
  return Object.assign(LateMenu, { preload });
}

/** A menu of items that are known before it opens. */
export const Menu = menuOf<MenuProps>(
  async () => (await import("./floating-menu.tsx")).FloatingMenu,
);
