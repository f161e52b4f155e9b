import { Inbox, Plus } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import { NewSourceDialog } from "./new-source.tsx";
import { sourcesQuery } from "./queries.ts";
import { SourceRow } from "./row.tsx";
import { useSourceTexts } from "./texts.ts";

/** The sources from which media are received automatically. */
export function SourcesPage() {
  const texts = useSourceTexts();
  const list = useList(sourcesQuery);
  const [isCreating, setCreating] = useState(false);
  const mayCreate = usePermission("automation:create");
  const isEmpty = list.data?.total === 0;
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {texts.new}
    </Button>
  );
  return (
    <Frame actions={list.data && !isEmpty && create}>
      {list.isPending && <Loading lines={6} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((source) => (
          <SourceRow key={source.id} source={source} />
        ))}
      </ul>
      {isEmpty && (
        <Empty icon={Inbox} title={texts.empty} action={create}>
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
      {isCreating && <NewSourceDialog onClose={() => setCreating(false)} />}
    </Frame>
  );
}
