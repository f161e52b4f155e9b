import { useSearch } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { Entry } from "./entry.tsx";
import { Exports } from "./exports.tsx";
import { Filters } from "./filters.tsx";
import { auditQuery } from "./queries.ts";
import { useAuditTexts } from "./texts.ts";

/** The audit log, newest entries first, with filters and exports. */
export function AuditPage() {
  const texts = useAuditTexts();
  const filter = useSearch({ from: "/app/admin/audit" });
  const list = useList(auditQuery(filter));
  return (
    <Section title={texts.title} hint={texts.hint} actions={<Exports filter={filter} />}>
      <Filters filter={filter} />
      {list.isPending && <Loading lines={8} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p role="status" className="text-xs text-muted">
          {texts.count(formatNumber(list.data.total))}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty icon={ScrollText} title={texts.nothing}>
          {texts.nothingHint}
        </Empty>
      )}
      <More list={list} />
    </Section>
  );
}
