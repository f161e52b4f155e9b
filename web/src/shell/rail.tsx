import { Link } from "@tanstack/react-router";
import { Search, SquarePen } from "lucide-react";
import { Key } from "../ui/key.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { describeKey } from "./keys.ts";
import { ProductName } from "./product-name.tsx";
import { RAIL_ROW } from "./rail-row.ts";
import { RailConversations } from "./rail-conversations.tsx";
import { useAreas } from "./use-areas.ts";
import { useShellTexts } from "./texts.ts";

interface RailProps {
  onSearch: () => void;
  onShowKeys: () => void;
}

/** The areas, the recent conversations and the account. */
export function Rail({ onSearch, onShowKeys }: RailProps) {
  const texts = useShellTexts();
  const areas = useAreas().filter(({ to }) => to !== "/");
  return (
    <nav aria-label={texts.menu} className="flex h-full min-h-0 flex-col gap-1 bg-rail p-2">
      <Link to="/" className="px-2 py-1 font-serif text-lg font-semibold">
        <ProductName />
      </Link>
      <Link to="/" className={RAIL_ROW} activeOptions={{ exact: true }}>
        <SquarePen aria-hidden size={16} strokeWidth={1.75} />
        <span className="flex-1">{texts.newConversation}</span>
      </Link>
      <button type="button" onClick={onSearch} className={`${RAIL_ROW} text-left`}>
        <Search aria-hidden size={16} strokeWidth={1.75} />
        <span className="flex-1">{texts.search}</span>
        <span className="pointer-coarse:hidden">
          <Key>{describeKey("mod+k")}</Key>
        </span>
      </button>
      {areas.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={RAIL_ROW}>
          <Icon aria-hidden size={16} strokeWidth={1.75} />
          {texts.areas[label]}
        </Link>
      ))}
      <RailConversations />
      <AccountMenu onShowKeys={onShowKeys} />
    </nav>
  );
}
