import { setUp } from "../shell/queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AccountForm } from "./account-form.tsx";

interface SetUpProps {
  /** Of the shortest password. */
  minCharacters: number;
  onSignedIn: () => void | Promise<void>;
}

/** The first administrator gives a password in place of the one that the start printed. */
export function SetUpForm({ minCharacters, onSignedIn }: SetUpProps) {
  const texts = useShellTexts();
  const create = async (fields: FormData, password: string) => {
    const email = textOf(fields, "email") || undefined;
    const name = textOf(fields, "name") || undefined;
    return (await setUp({ code: textOf(fields, "code"), password, email, name })).email;
  };
  return (
    <AccountForm
      minCharacters={minCharacters}
      create={create}
      onSignedIn={onSignedIn}
      action={texts.setUp}
    >
      <p className="text-muted">{texts.setUpHint}</p>
      <TextField
        label={texts.setUpCode}
        name="code"
        type="password"
        autoComplete="off"
        autoFocus
        required
      />
      <TextField label={texts.setUpName} name="name" autoComplete="name" maxLength={200} />
      <TextField
        label={texts.email}
        hint={texts.setUpEmailHint}
        name="email"
        type="email"
        autoComplete="username"
      />
    </AccountForm>
  );
}
