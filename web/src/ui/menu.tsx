import type { LucideIcon } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
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
}

export interface MenuGroup {
  key: string;
  label?: string;
  items: MenuItem[];
}

export interface MenuProps {
  /** The accessible name of the button. */
  label: string;
  trigger: ReactNode;
  triggerClass: string;
  groups: MenuGroup[];
  /** `roomier`: above or below, wherever more of the window is. */
  side?: "bottom" | "top" | "roomier";
  align?: "start" | "end";
  /** Its items are switches, of which any number may be on: it stays open. */
  isMany?: boolean;
  /** What is searched. Where it is given, a menu of many items begins with a field for it. */
  search?: string;
}

type Loaded = ComponentType<MenuProps & { isOpenAtFirst: boolean }>;
let LoadedMenu: Loaded | undefined;

/** Loads the code of menus; called when the page is idle. */
export async function loadMenus(): Promise<Loaded> {
  const { FloatingMenu } = await loadPart(() => import("./floating-menu.tsx"));
  LoadedMenu = FloatingMenu;
  return FloatingMenu;
}

/**
 * A button that opens a menu. Its code, half as large as all else at first load, is fetched when
 * the page is idle or the button is first used.
 */
export function Menu(props: MenuProps) {
  const [Floating, setFloating] = useState<Loaded | undefined>(() => LoadedMenu);
  const [wasUsed, setWasUsed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!wasUsed || Floating) return;
    void loadMenus().then((loaded) => setFloating(() => loaded));
  }, [wasUsed, Floating]);
  if (Floating) return <Floating {...props} isOpenAtFirst={wasUsed} />;
  return (
    <button
      ref={button}
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
}
