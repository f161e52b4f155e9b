import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { meQuery, usePermission } from "../../shell/queries.ts";
import { ShareButton } from "../../sharing/dialog.tsx";
import { isolate } from "../../texts/isolate.ts";
import { limitedAgentsQuery, reachQuery, withheldAgentsQuery } from "../agent-queries.ts";
import type { Rule } from "./queries.ts";
import type { RuleFields } from "./rule-fields.ts";
import { useRuleTexts } from "./texts.ts";

interface AgentsReachProps {
  rule: Rule | undefined;
  scope: RuleFields["scope"];
  ids: readonly string[];
}

/** Which agents of a rule will not run for all media of the rule, and what to do about it. */
export function AgentsReach({ rule, scope, ids }: AgentsReachProps) {
  const { data: me } = useQuery(meQuery);
  const creatorId = rule && rule.user_id !== me?.id ? rule.user_id : undefined;
  return (
    <>
      {creatorId !== undefined && <Withheld creatorId={creatorId} ids={ids} />}
      {scope === "client" && <Limited ids={ids} />}
    </>
  );
}

/** Agents run only for senders who may use them. */
function Limited({ ids }: { ids: readonly string[] }) {
  const texts = useRuleTexts();
  const mayRead = usePermission("share:read");
  const { data: agents = [] } = useQuery(limitedAgentsQuery(ids));
  const owned = agents.filter(({ role }) => role === "owner").map(({ id }) => id);
  const { data: reach } = useQuery(reachQuery(mayRead ? owned : []));
  const limited = agents.filter(({ id }) => !reach?.get(id)?.isForAll);
  const hintOf = (id: string) => {
    const { sharedWith = [] } = reach?.get(id) ?? {};
    if (sharedWith.length > 0) return texts.sharedWith(sharedWith.map(isolate));
    return owned.includes(id) && reach ? texts.notShared : undefined;
  };
  if (limited.length === 0) return null;
  return <Warning text={texts.limitedAgents} agents={limited} hintOf={hintOf} />;
}

/** An agent runs only where the creator of the rule may use it, too. */
function Withheld({ creatorId, ids }: { creatorId: string; ids: readonly string[] }) {
  const texts = useRuleTexts();
  const { data: withheld = [] } = useQuery(withheldAgentsQuery(creatorId, ids));
  const { data: agents = [] } = useQuery(limitedAgentsQuery(withheld));
  if (withheld.length === 0 || agents.length === 0) return null;
  return <Warning text={texts.withheldAgents} agents={agents} />;
}

interface WarningProps {
  text: string;
  agents: readonly { id: string; name: string }[];
  hintOf?: (id: string) => ReactNode;
}

function Warning({ text, agents, hintOf }: WarningProps) {
  const texts = useRuleTexts();
  return (
    <div role="status" className="grid grid-cols-1 gap-2 rounded-lg bg-sunken p-3">
      <p className="flex items-start gap-2">
        <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
        {text}
      </p>
      <ul className="grid grid-cols-1 gap-1">
        {agents.map(({ id, name }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-3">
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium" title={name}>
                {name}
              </bdi>
              <span className="block text-xs wrap-anywhere text-muted">{hintOf?.(id)}</span>
            </span>
            <ShareButton
              resource={{ resourceType: "agent", resourceId: id }}
              name={name}
              path={`/agents/${id}`}
            >
              {texts.shareAgent}
            </ShareButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
