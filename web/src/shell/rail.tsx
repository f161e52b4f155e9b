import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Search, SquarePen } from "lucide-react";
import { Key } from "../ui/key.tsx";
import { Loading } from "../ui/states.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { describeKey } from "./keys.ts";
import { ProductName } from "./product-name.tsx";
import { recentQuery, usePermission } from "./queries.ts";
import { useAreas } from "./use-areas.ts";
import { useShellTexts } from "./texts.ts";

const ROW =
  "flex min-h-8 items-center gap-2 rounded-md px-2 py-1 hover:bg-sunken pointer-coarse:min-h-11 " +
  "data-[status=active]:bg-sunken data-[status=active]:font-medium";

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
      <Link to="/" className={ROW} activeOptions={{ exact: true }}>
        <SquarePen aria-hidden size={16} strokeWidth={1.75} />
        <span className="flex-1">{texts.newConversation}</span>
      </Link>
      <button type="button" onClick={onSearch} className={`${ROW} text-left`}>
        <Search aria-hidden size={16} strokeWidth={1.75} />
        <span className="flex-1">{texts.search}</span>
        <Key>{describeKey("mod+k")}</Key>
      </button>
      {areas.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={ROW}>
          <Icon aria-hidden size={16} strokeWidth={1.75} />
          {texts.areas[label]}
        </Link>
      ))}
      <RecentConversations />
      <AccountMenu onShowKeys={onShowKeys} />
    </nav>
  );
}

function RecentConversations() {
  const texts = useShellTexts();
  const mayRead = usePermission("conversation:read");
  const { data, isLoading } = useQuery({ ...recentQuery, enabled: mayRead });
  if (!mayRead) return <div className="flex-1" />;
  return (
    <section className="mt-3 min-h-0 flex-1 overflow-y-auto" aria-labelledby="recent">
      <h2 id="recent" className="px-2 pb-1 font-sans text-xs font-medium text-muted">
        {texts.recent}
      </h2>
      {isLoading && <Loading lines={5} className="p-2" />}
      {data?.items.length === 0 && (
        <p className="px-2 text-xs text-muted">{texts.noConversations}</p>
      )}
      <ul>
        {data?.items.map(({ id, title }) => (
          <li key={id}>
            <Link to="/c/$id" params={{ id }} className={ROW} title={title}>
              <bdi className="truncate">{title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
