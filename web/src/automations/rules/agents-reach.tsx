import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { ShareButton } from "../../sharing/dialog.tsx";
import { limitedAgentsQuery } from "../agent-queries.ts";
import { useRuleTexts } from "./texts.ts";

/**
 * Which agents of a rule for everybody's media not everybody may use: agents run only for senders
 * who may use them.
 */
export function AgentsReach({ ids }: { ids: readonly string[] }) {
  const texts = useRuleTexts();
  const { data: agents = [] } = useQuery(limitedAgentsQuery(ids));
  if (agents.length === 0) return null;
  return (
    <div role="status" className="grid grid-cols-1 gap-2 rounded-lg bg-sunken p-3">
      <p className="flex items-start gap-2">
        <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
        {texts.limitedAgents}
      </p>
      <ul className="grid grid-cols-1 gap-1">
        {agents.map(({ id, name }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-3">
            <bdi className="min-w-0 flex-1 truncate font-medium" title={name}>
              {name}
            </bdi>
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
