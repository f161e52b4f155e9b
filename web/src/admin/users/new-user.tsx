import { useChange } from "../../shell/use-change.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { createUser } from "./queries.ts";
import { chosenRoles, RoleChoice } from "./role-choice.tsx";
import { useUserTexts } from "./texts.ts";

/** Creates an account, then shows its initial password once. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const texts = useUserTexts();
  const create = useChange({ run: createUser, keys: [["users"]] });
  const made = create.data;
  if (made?.password !== undefined) {
    return (
      <Dialog title={texts.createdTitle(made.name)} size="small" onClose={onClose}>
        <ShownOnce
          warning={texts.passwordOnce(made.email)}
          value={made.password}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={texts.create}
      action={texts.create}
      busy={create.isPending}
      error={create.error}
      onSubmit={(fields) =>
        create.mutate({
          name: textOf(fields, "name"),
          email: textOf(fields, "email"),
          roles: chosenRoles(fields),
        })
      }
      onClose={onClose}
    >
      <TextField label={texts.name} name="name" maxLength={200} required autoFocus />
      <TextField
        label={texts.email}
        name="email"
        type="email"
        hint={texts.emailHint}
        maxLength={320}
        autoComplete="off"
        required
      />
      <RoleChoice chosen={["user"]} />
    </FormDialog>
  );
}
