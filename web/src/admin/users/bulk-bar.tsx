import { Trash2, UserCheck, UserX, Users } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../../shell/bulk/use-bulk.ts";
import { usePermission } from "../../shell/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ChosenBar } from "../../ui/chosen-bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Chosen } from "../../ui/use-chosen.ts";
import { GroupFinder } from "../groups/group-finder.tsx";
import { addMember, type ListedGroup } from "../groups/queries.ts";
import { DELETION_KEYS, DeletionDialog } from "./delete-user.tsx";
import { changeUser, deleteUser, type User } from "./queries.ts";
import { useUserTexts } from "./texts.ts";

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list that can be chosen. */
  users: readonly User[];
}

type OpenDialog = "disable" | "group" | "delete" | undefined;

/** Changes the chosen accounts, and says which of them it could not. */
export function BulkBar({ list, chosen, users }: BulkBarProps) {
  const texts = useUserTexts();
  const [asked, setAsked] = useState<OpenDialog>();
  const close = () => setAsked(undefined);
  const mayGroup = usePermission("group:administer");
  const runs = useRuns(chosen.none);
  const isBusy = runs.bulk.state === "running";
  const some = users.filter(({ id }) => chosen.has(id));
  const active = some.filter(({ disabled }) => !disabled);
  const inactive = some.filter(({ disabled }) => disabled);
  return (
    <>
      <ChosenBar chosen={chosen} list={list} hasHead="wide">
        {mayGroup && (
          <Button look="quiet" busy={isBusy} onClick={() => setAsked("group")}>
            <Users aria-hidden size={16} />
            {texts.addToGroup}
          </Button>
        )}
        {inactive.length > 0 && (
          <Button look="quiet" busy={isBusy} onClick={() => runs.enable(inactive)}>
            <UserCheck aria-hidden size={16} />
            {texts.enableMany}
          </Button>
        )}
        {active.length > 0 && (
          <Button look="danger" busy={isBusy} onClick={() => setAsked("disable")}>
            <UserX aria-hidden size={16} />
            {texts.disableMany}
          </Button>
        )}
        <Button look="danger" busy={isBusy} onClick={() => setAsked("delete")}>
          <Trash2 aria-hidden size={16} />
          {texts.deleteMany}
        </Button>
      </ChosenBar>
      <div className="my-2 empty:hidden">
        <BulkReport bulk={runs.bulk} />
      </div>
      {asked === "disable" && (
        <Confirm
          title={texts.disableManyTitle(active.length)}
          text={texts.disableManyText}
          action={texts.disableMany}
          onConfirm={() => {
            runs.disable(active);
            close();
          }}
          onClose={close}
        />
      )}
      {asked === "group" && (
        <GroupDialog
          count={some.length}
          onChoose={(group) => {
            runs.addTo(group, some);
            close();
          }}
          onClose={close}
        />
      )}
      {asked === "delete" && (
        <DeletionDialog
          title={texts.deleteManyTitle(some.length)}
          text={texts.deleteManyText}
          action={texts.deleteMany}
          ids={some.map(({ id }) => id)}
          busy={false}
          onDelete={(heir) => {
            runs.remove(some, heir);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

type Accounts = readonly User[];

function useRuns(onDone: () => void) {
  const texts = useUserTexts();
  const bulk = useBulk([...DELETION_KEYS, ["user"]]);
  const run = (
    users: Accounts,
    act: (id: string) => Promise<unknown>,
    done: (count: number) => string,
  ) =>
    bulk.start({
      items: users.map(({ id, name }) => ({ id, name })),
      act: oneByOne(act),
      done,
      onDone,
    });
  return {
    bulk,
    enable: (users: Accounts) =>
      run(users, (id) => changeUser(id, { disabled: false }), texts.manyEnabled),
    disable: (users: Accounts) =>
      run(users, (id) => changeUser(id, { disabled: true }), texts.manyDisabled),
    addTo: (group: ListedGroup, users: Accounts) =>
      run(
        users,
        (id) => addMember(group.id, id),
        (count) => texts.manyAdded(count, group.name),
      ),
    remove: (users: Accounts, heir: string | undefined) =>
      run(users, (id) => deleteUser(id, heir), texts.manyDeleted),
  };
}

interface GroupDialogProps {
  count: number;
  onChoose: (group: ListedGroup) => void;
  onClose: () => void;
}

/** Which group the accounts are added to. */
function GroupDialog({ count, onChoose, onClose }: GroupDialogProps) {
  const texts = useUserTexts();
  const [group, setGroup] = useState<ListedGroup>();
  return (
    <FormDialog
      title={texts.addToGroupTitle(count)}
      action={texts.addToGroup}
      busy={group === undefined}
      onSubmit={() => group && onChoose(group)}
      onClose={onClose}
    >
      <GroupFinder
        label={texts.group}
        hint={group ? texts.groupIs(group.name) : texts.groupHint}
        onChoose={setGroup}
      />
    </FormDialog>
  );
}
