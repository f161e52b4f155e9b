import { useChange } from "../../shell/use-change.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { changeUser, type User } from "./queries.ts";
import { useUserTexts } from "./texts.ts";

const PASSWORD_BYTES = 15;

interface NewPasswordProps {
  user: User;
  onClose: () => void;
}

/** Replaces a forgotten password by a random one, which is shown once. */
export function NewPassword({ user, onClose }: NewPasswordProps) {
  const texts = useUserTexts();
  const change = useChange({
    run: async () => {
      const password = randomPassword();
      await changeUser(user.id, { password });
      return password;
    },
    keys: [["user", user.id]],
  });
  if (change.data !== undefined) {
    return (
      <Dialog title={texts.newPassword} size="small" onClose={onClose}>
        <ShownOnce
          warning={texts.passwordOnce(user.email)}
          value={change.data}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Confirm
      title={texts.newPassword}
      text={texts.newPasswordText(user.name)}
      action={texts.setPassword}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
