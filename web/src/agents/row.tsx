import { Link } from "@tanstack/react-router";
import { Code, Files, Globe, Star, Wrench } from "lucide-react";
import { formatAgo, formatTime } from "../texts/format.ts";
import { ChooseBox } from "../ui/choose-box.tsx";
import { Glyph } from "../ui/glyph.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import type { Chosen } from "../ui/use-chosen.ts";
import { setFavorite, type VisibleListedAgent, useFavoriteChange } from "./queries.ts";
import { RowMenu } from "./row-menu.tsx";
import { useAgentTexts } from "./texts.ts";

interface AgentRowProps {
  agent: VisibleListedAgent;
  isFavorite: boolean;
  /** Absent where none of the list can be chosen. */
  chosen: Chosen | undefined;
  /** Otherwise it can be neither moved nor deleted. */
  isOwned: boolean;
}

/** An agent in a list: its purpose, its owner and its actions. */
export function AgentRow(props: AgentRowProps) {
  const { agent, isFavorite, chosen, isOwned } = props;
  const texts = useAgentTexts();
  const { id, name, description, icon, updatedAt } = agent;
  const favorite = useFavoriteChange(() => setFavorite(id, !isFavorite));
  return (
    <li
      className={join(
        "group relative flex flex-col gap-2 rounded-lg border p-4",
        "hover:border-hairline-strong hover:shadow-2",
        chosen?.has(id) ? "border-accent-line bg-accent-soft" : "border-hairline bg-raised",
      )}
    >
      <div className="flex items-center gap-1">
        <Glyph value={icon} id={id} name={name} size="large" />
        <span className="flex-1" />
        {chosen && (
          <span
            className={join(
              "relative z-[1]",
              chosen.ids.length === 0 &&
                "opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 " +
                  "pointer-coarse:opacity-100",
            )}
          >
            <ChooseBox chosen={chosen} id={id} name={name} disabled={!isOwned} />
          </span>
        )}
        <span className="relative z-[1] flex">
          <IconButton
            icon={Star}
            label={isFavorite ? texts.unfavorite(name) : texts.favorite(name)}
            pressed={isFavorite}
            onClick={() => favorite.mutate()}
            className="aria-pressed:[&>svg]:fill-accent"
          />
          <RowMenu agent={agent} />
        </span>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <Link
          to="/agents/$id"
          params={{ id }}
          title={name}
          className="block min-h-6 truncate font-semibold after:absolute after:inset-0 after:content-['']"
        >
          <bdi>{name}</bdi>
        </Link>
        {description && (
          <p className="line-clamp-2 text-muted" title={description}>
            <span dir="auto">{description}</span>
          </p>
        )}
        <div className="mt-auto flex items-end gap-2 pt-2 text-xs text-muted">
          <p className="min-w-0 flex-1">
            {texts.types[agent.type]}
            {agent.type !== "system" && (
              <>
                {" "}
                · <Whose agent={agent} />
                <time dateTime={updatedAt} title={formatTime(updatedAt)}>
                  {formatAgo(updatedAt)}
                </time>
              </>
            )}
          </p>
          <Abilities agent={agent} />
        </div>
      </div>
    </li>
  );
}

/** What the agent reaches beside its model, as icons. */
function Abilities({ agent }: { agent: VisibleListedAgent }) {
  const texts = useAgentTexts();
  const { type, tools = [], files = [], retrieval } = agent;
  const has = (set: string) => tools.includes(`toolset:${set}`);
  const readsDocuments =
    type === "cortex" ||
    files.length > 0 ||
    Boolean(retrieval) ||
    has("documents") ||
    has("tables");
  const others = tools.some((tool) => !tool.startsWith("toolset:"));
  const shown = [
    { key: "documents", Icon: Files, isThere: readsDocuments },
    { key: "web", Icon: Globe, isThere: has("web") },
    { key: "code", Icon: Code, isThere: has("code") },
    { key: "tools", Icon: Wrench, isThere: others },
  ] as const;
  return (
    <span className="flex shrink-0 gap-1.5">
      {shown
        .filter(({ isThere }) => isThere)
        .map(({ key, Icon }) => (
          <span
            key={key}
            role="img"
            aria-label={texts.abilities[key]}
            title={texts.abilities[key]}
            className="relative z-[1]"
          >
            <Icon aria-hidden size={16} />
          </span>
        ))}
    </span>
  );
}

/** Why the user may use it. */
function Whose({ agent: { type, role, ownerName } }: { agent: VisibleListedAgent }) {
  const texts = useAgentTexts();
  if (type === "organization") return `${texts.ofOrganisation} · `;
  if (role === "owner" || ownerName === null) return `${texts.yours} · `;
  return (
    <>
      {texts.sharedBy} <bdi>{ownerName}</bdi> ·{" "}
    </>
  );
}
