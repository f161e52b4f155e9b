import { buttonLook } from "../ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { MessageSquare, Star } from "lucide-react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { usePermission } from "../shell/queries.ts";
import { AccessReason } from "../sharing/access-reason.tsx";
import { Labels, useLabelsKnown } from "../shell/labels/labels.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemPage } from "../ui/problem-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import {
  agentQuery,
  favoritesQuery,
  setFavorite,
  type VisibleAgent,
  useFavoriteChange,
} from "./queries.ts";
import { RowMenu } from "./row-menu.tsx";
import { useAgentTexts } from "./texts.ts";

/** An agent: its editor, its versions, and two of them side by side. */
export function AgentPage() {
  const texts = useAgentTexts();
  const { id } = useParams({ from: "/app/agents/$id" });
  const { data: agent, error, refetch } = useQuery(agentQuery(id));
  // labels that come later would move what is there
  const resource = { resourceType: "agent", resourceId: id } as const;
  const areLabelsKnown = useLabelsKnown(
    resource,
    agent !== undefined && agent.type !== "system",
  );
  const isStarred = !awaitsFirst(useQuery(favoritesQuery));
  if (error && !agent)
    return (
      <ProblemPage
        title={texts.title}
        list={{ to: "/agents", label: texts.title }}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!agent || !areLabelsKnown || !isStarred) return <Loading shape="page" lines={5} />;
  const tabs = [
    { to: `/agents/${id}`, label: texts.tabs.editor, isExact: true },
    { to: `/agents/${id}/versions`, label: texts.tabs.versions },
    { to: `/agents/${id}/compare`, label: texts.tabs.comparison },
  ];
  return (
    <Page
      title={agent.name}
      back={{ to: "/agents", label: texts.title }}
      actions={<Actions agent={agent} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {agent.role !== "owner" && <Reason agent={agent} />}
        {agent.type !== "system" && (
          <div className="justify-self-start empty:hidden">
            <Labels resource={resource} offersFirst />
          </div>
        )}
        <TabLinks label={agent.name} tabs={tabs} />
        <Outlet />
      </div>
    </Page>
  );
}

function Reason({ agent: { id, type } }: { agent: VisibleAgent }) {
  const { reasons } = useAgentTexts();
  const known =
    type === "system" || type === "organization" ? { known: reasons[type] } : undefined;
  return <AccessReason resource={{ resourceType: "agent", resourceId: id }} {...known} />;
}

function Actions({ agent }: { agent: VisibleAgent }) {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  const { data: favorites = [] } = useQuery(favoritesQuery);
  const mayChat = usePermission("conversation:create");
  const { id, name } = agent;
  const isFavorite = favorites.includes(id);
  const favorite = useFavoriteChange(() => setFavorite(id, !isFavorite));
  return (
    <>
      <IconButton
        icon={Star}
        label={isFavorite ? texts.unfavorite(name) : texts.favorite(name)}
        pressed={isFavorite}
        onClick={() => favorite.mutate()}
        className="aria-pressed:[&>svg]:fill-accent"
      />
      {mayChat && (
        <Link
          to="/"
          search={{ agent: id }}
          title={texts.startConversation}
          className={buttonLook()}
        >
          <MessageSquare aria-hidden size={16} strokeWidth={1.75} />
          <span className="max-sm:sr-only">{texts.startConversation}</span>
        </Link>
      )}
      <RowMenu agent={agent} onDeleted={() => void navigate({ to: "/agents" })} />
    </>
  );
}
