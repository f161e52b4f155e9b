import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import type { User } from "./queries.ts";
import { UserFinder } from "./user-finder.tsx";
import { useUserTexts } from "./texts.ts";

interface DeleteUserProps {
  user: Pick<User, "id" | "name">;
  /** Without a recipient the data is deleted. */
  run: (id: string, heir: string | undefined) => Promise<unknown>;
  onClose: () => void;
}

/** Deletes a user. Their data is transferred to another user, or deleted too. */
export function DeleteUser({ user, run, onClose }: DeleteUserProps) {
  const texts = useUserTexts();
  const [fate, setFate] = useState<"transfer" | "delete">("transfer");
  const [heir, setHeir] = useState<Pick<User, "id" | "name">>();
  const remove = useChange({
    run: () => run(user.id, fate === "transfer" ? heir?.id : undefined),
    keys: [["users"], ["groups"], ["group"]],
    onDone() {
      onClose();
      notify(texts.deleted(user.name));
    },
  });
  const lacksHeir = fate === "transfer" && heir === undefined;
  return (
    <FormDialog
      title={texts.deleteTitle(user.name)}
      action={texts.delete}
      busy={remove.isPending || lacksHeir}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
      <fieldset className="grid gap-1">
        <legend className="font-medium">{texts.fate}</legend>
        {(["transfer", "delete"] as const).map((one) => (
          <Checkbox
            key={one}
            type="radio"
            name="fate"
            checked={fate === one}
            onChange={() => setFate(one)}
            label={texts.fates[one]}
            hint={texts.fateHints[one]}
          />
        ))}
      </fieldset>
      {fate === "transfer" && (
        <UserFinder
          label={texts.heir}
          hint={heir ? texts.heirIs(heir.name) : texts.heirHint}
          without={[user.id]}
          onChoose={setHeir}
        />
      )}
    </FormDialog>
  );
}
