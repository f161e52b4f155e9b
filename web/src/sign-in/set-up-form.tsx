import { useMutation } from "@tanstack/react-query";
import { toFailure } from "../api/failure.ts";
import { setUp, signIn } from "../shell/queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";

interface SetUpProps {
  /** Of the shortest password. */
  minCharacters: number;
  onSignedIn: () => void | Promise<void>;
}

/** The first administrator gives a password in place of the one that the start printed. */
export function SetUpForm({ minCharacters, onSignedIn }: SetUpProps) {
  const texts = useShellTexts();
  const attempt = useMutation({
    async mutationFn(fields: FormData) {
      const password = String(fields.get("password") ?? "");
      const email = textOf(fields, "email") || undefined;
      const name = textOf(fields, "name") || undefined;
      const known = await setUp({ code: textOf(fields, "code"), password, email, name });
      await signIn({ email: known.email, password });
    },
    onSuccess: onSignedIn,
  });
  const problem = useErrorText(attempt.error ? toFailure(attempt.error) : undefined);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!attempt.isPending) attempt.mutate(new FormData(event.currentTarget));
      }}
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
      <TextField
        label={texts.setUpPassword}
        hint={texts.setUpPasswordHint(minCharacters)}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={minCharacters}
        error={problem || undefined}
        required
      />
      <Button type="submit" look="primary" busy={attempt.isPending}>
        {texts.setUp}
      </Button>
    </form>
  );
}
