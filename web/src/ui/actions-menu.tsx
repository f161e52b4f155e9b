import { Ellipsis } from "lucide-react";
import { Menu, type MenuItem } from "./menu.tsx";

interface ActionsMenuProps {
  /** The accessible name of the button: whose actions they are. */
  label: string;
  items: MenuItem[];
}

/** The menu of an item's actions. Renders nothing if there are none. */
export function ActionsMenu({ label, items }: ActionsMenuProps) {
  if (items.length === 0) return null;
  return (
    <Menu
      label={label}
      align="end"
      triggerClass={
        "ml-auto inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted " +
        "hover:bg-hover hover:text-ink pointer-coarse:size-11"
      }
      trigger={<Ellipsis aria-hidden size={17} />}
      groups={[{ key: "all", items }]}
    />
  );
}
