import { RotateCw, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../../shell/bulk/use-bulk.ts";
import { usePermission } from "../../shell/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ChosenBar } from "../../ui/chosen-bar.tsx";
import { BAR_IN_MARGIN } from "../../ui/chosen-row.ts";
import { Confirm } from "../../ui/confirm.tsx";
import type { Chosen } from "../../ui/use-chosen.ts";
import { AUTOMATION_KEYS } from "../use-automation-change.ts";
import { deleteRun, isRetried, retryRun, type RunSummary } from "./queries.ts";
import { useRunTexts } from "./texts.ts";
import { titleOf } from "./title-of.ts";

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list that can be chosen. */
  runs: readonly RunSummary[];
}

/** Retries what failed of the chosen runs, or deletes those that have ended. */
export function BulkBar({ list, chosen, runs }: BulkBarProps) {
  const texts = useRunTexts();
  const bulk = useBulk(AUTOMATION_KEYS);
  const [isAsking, setAsking] = useState(false);
  const mayRun = usePermission("automation:run");
  const mayDelete = usePermission("automation:delete");
  const isBusy = bulk.state === "running";
  const some = runs.filter(({ id }) => chosen.has(id));
  const failed = some.filter(isRetried);
  const start = (
    of: readonly RunSummary[],
    act: (id: string) => Promise<unknown>,
    done: (count: number) => string,
  ) =>
    bulk.start({
      items: of.map((run) => ({ id: run.id, name: titleOf(run) })),
      act: oneByOne(act),
      done,
      onDone: chosen.none,
    });
  return (
    <>
      <ChosenBar chosen={chosen} list={list} className={BAR_IN_MARGIN}>
        {mayRun && failed.length > 0 && (
          <Button
            look="quiet"
            busy={isBusy}
            onClick={() => start(failed, retryRun, texts.manyRetried)}
          >
            <RotateCw aria-hidden size={16} />
            {texts.retry}
          </Button>
        )}
        {mayDelete && (
          <Button look="danger" busy={isBusy} onClick={() => setAsking(true)}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <BulkReport bulk={bulk} />
      {isAsking && (
        <Confirm
          title={texts.deleteManyTitle(some.length)}
          text={texts.deleteManyText}
          action={texts.delete}
          onConfirm={() => {
            start(some, deleteRun, texts.manyDeleted);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
