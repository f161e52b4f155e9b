import { Wrench } from "lucide-react";
import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { type AllowedTool, allowedToolsQuery, askAgain } from "./tool-queries.ts";
import { useSettingsTexts } from "./texts.ts";

/** Tools that run without asking, because the user once chose "always". */
export function AllowedTools() {
  const { tools: texts } = useSettingsTexts();
  const list = useList(allowedToolsQuery);
  return (
    <Section title={texts.title} hint={texts.hint}>
      {list.isPending && <Loading shape="list" lines={4} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && (
        <Empty icon={Wrench} picture="rows" title={texts.empty}>
          {texts.emptyHint}
        </Empty>
      )}
      <ul className="divide-y divide-hairline" aria-label={texts.title}>
        {list.data?.items.map((tool) => (
          <ToolRow key={`${tool.server} ${tool.name}`} tool={tool} />
        ))}
      </ul>
      <More list={list} />
    </Section>
  );
}

function ToolRow({ tool }: { tool: AllowedTool }) {
  const { tools: texts } = useSettingsTexts();
  const { name, server, allowedAt } = tool;
  const revoke = useChange({
    run: () => askAgain(tool),
    keys: [allowedToolsQuery.queryKey],
    onDone: () => notify(texts.revoked(name)),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-full">
        <p className="truncate font-medium" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="truncate text-xs text-muted" title={formatTime(allowedAt)}>
          <bdi>{server}</bdi> · {texts.allowed(formatAgo(allowedAt))}
        </p>
      </div>
      <Button
        busy={revoke.isPending}
        onClick={() => revoke.mutate()}
        aria-label={`${texts.revoke}: ${name}`}
      >
        {texts.revoke}
      </Button>
      {revoke.error && <Problem error={revoke.error} />}
    </li>
  );
}
