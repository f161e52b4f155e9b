import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { Glyph } from "../ui/glyph.tsx";
import { notify } from "../ui/notices.tsx";
import { agentTrashQuery, restoreAgent } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { Trash, TrashRow } from "./trash.tsx";

const KEYS = [["agents"]];

/** Deleted agents, which can be restored until they are deleted permanently. */
export function AgentTrashPage() {
  const texts = useHistoryTexts();
  const list = useList(agentTrashQuery);
  const restore = useChange({
    run: restoreAgent,
    keys: KEYS,
    onDone: () => notify(texts.agentRestored),
  });
  return (
    <Trash hint={texts.agentTrashHint} list={list} error={restore.error}>
      {list.data?.items.map(({ id, name, icon, deletedAt }) => (
        <TrashRow
          key={id}
          name={name}
          deletedAt={deletedAt}
          glyph={<Glyph value={icon} id={id} name={name} />}
          busy={restore.isPending && restore.variables === id}
          onRestore={() => restore.mutate(id)}
        />
      ))}
    </Trash>
  );
}
