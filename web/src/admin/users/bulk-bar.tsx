import { UserCheck, UserX } from "lucide-react";
import { useState } from "react";
import { BulkReport } from "../../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../../shell/bulk/use-bulk.ts";
import { Button } from "../../ui/button.tsx";
import { ChosenBar } from "../../ui/chosen-bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import type { Chosen } from "../../ui/use-chosen.ts";
import { changeUser, type User } from "./queries.ts";
import { useUserTexts } from "./texts.ts";

interface BulkBarProps {
  chosen: Chosen;
  /** All of the list. */
  users: readonly User[];
}

/** Disables or enables the chosen accounts, and says which of them it could not. */
export function BulkBar({ chosen, users }: BulkBarProps) {
  const texts = useUserTexts();
  const [isAsking, setAsking] = useState(false);
  const bulk = useBulk([["users"], ["user"]]);
  const isBusy = bulk.state === "running";
  const some = users.filter(({ id }) => chosen.has(id));
  const active = some.filter(({ disabled }) => !disabled);
  const inactive = some.filter(({ disabled }) => disabled);
  const change = (of: readonly User[], disabled: boolean) =>
    bulk.start({
      items: of.map(({ id, name }) => ({ id, name })),
      act: oneByOne((id) => changeUser(id, { disabled })),
      done: disabled ? texts.manyDisabled : texts.manyEnabled,
      onDone: chosen.none,
    });
  return (
    <>
      <ChosenBar chosen={chosen}>
        {inactive.length > 0 && (
          <Button look="quiet" busy={isBusy} onClick={() => change(inactive, false)}>
            <UserCheck aria-hidden size={16} />
            {texts.enableMany}
          </Button>
        )}
        {active.length > 0 && (
          <Button look="danger" busy={isBusy} onClick={() => setAsking(true)}>
            <UserX aria-hidden size={16} />
            {texts.disableMany}
          </Button>
        )}
      </ChosenBar>
      <BulkReport bulk={bulk} />
      {isAsking && (
        <Confirm
          title={texts.disableManyTitle(active.length)}
          text={texts.disableManyText}
          action={texts.disableMany}
          onConfirm={() => {
            change(active, true);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
