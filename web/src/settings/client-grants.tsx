import { useState } from "react";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { type ClientGrant, deleteGrant, grantsQuery } from "./client-queries.ts";
import { useClientTexts } from "./client-texts.ts";

/** The clients of MCP that may use tools for the user. */
export function ClientGrants() {
  const texts = useClientTexts();
  const list = useList(grantsQuery);
  const [ending, setEnding] = useState<ClientGrant>();
  return (
    <Section title={texts.title} hint={texts.hint}>
      {list.isPending && <Loading shape="list" lines={2} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && <p className="text-muted">{texts.empty}</p>}
      <ul className="divide-y divide-hairline" aria-label={texts.title}>
        {list.data?.items.map((grant) => (
          <GrantRow key={grant.id} grant={grant} onEnd={() => setEnding(grant)} />
        ))}
      </ul>
      <More list={list} />
      {ending && (
        <ConfirmChange
          title={texts.endTitle}
          text={texts.endText(ending.clientName)}
          action={texts.end}
          run={() => deleteGrant(ending.id)}
          keys={[grantsQuery.queryKey]}
          done={texts.ended}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Section>
  );
}

function GrantRow({ grant, onEnd }: { grant: ClientGrant; onEnd: () => void }) {
  const texts = useClientTexts();
  const { clientName, clientDocument, redirectHost, connections } = grant;
  const { createdAt, lastUsedAt, scopes, tools } = grant;
  const facts = [
    clientDocument ?? redirectHost,
    texts.since(formatAgo(createdAt)),
    lastUsedAt ? texts.used(formatAgo(lastUsedAt)) : texts.unused,
    ...(connections > 1 ? [texts.times(connections)] : []),
    ...(scopes.includes("tool:approve") ? [texts.destructive] : []),
    ...(tools === null ? [] : [texts.onlyTools(tools.join(", "))]),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-40" title={formatTime(createdAt)}>
        <p className="truncate font-medium">
          <bdi>{clientName}</bdi>
        </p>
        <p className="text-xs wrap-anywhere text-muted">{facts.join(" · ")}</p>
      </div>
      <Button look="danger" onClick={onEnd} aria-label={`${texts.end}: ${clientName}`}>
        {texts.end}
      </Button>
    </li>
  );
}
