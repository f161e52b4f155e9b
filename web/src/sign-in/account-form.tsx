import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toFailure } from "../api/failure.ts";
import { signIn } from "../shell/queries.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { useSignInTexts } from "./texts.ts";

interface AccountFormProps {
  /** Of the shortest password. */
  minCharacters: number;
  /** @returns the email address of the account. */
  create: (fields: FormData, password: string) => Promise<string>;
  onSignedIn: () => void | Promise<void>;
  action: string;
  /** What comes before the password. */
  children: ReactNode;
}

/** Creates an account with a password, and signs in. */
export function AccountForm(props: AccountFormProps) {
  const { minCharacters, create, onSignedIn, action, children } = props;
  const texts = useSignInTexts();
  const attempt = useMutation({
    async mutationFn(fields: FormData) {
      const password = String(fields.get("password") ?? "");
      await signIn({ email: await create(fields, password), password });
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
      {children}
      <PasswordField
        label={texts.setUpPassword}
        hint={texts.setUpPasswordHint(minCharacters)}
        name="password"
        autoComplete="new-password"
        minLength={minCharacters}
        required
      />
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <Button type="submit" look="primary" busy={attempt.isPending}>
        {action}
      </Button>
    </form>
  );
}
