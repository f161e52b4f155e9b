import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { toFailure } from "../api/failure.ts";
import { appQuery, meQuery } from "../shell/queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { PasswordField } from "../ui/password-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { AccountForm } from "./account-form.tsx";
import { Frame } from "./frame.tsx";
import { keepGivenPassword, readGivenPassword } from "./given-password.ts";
import { choosePassword } from "./queries.ts";
import { useSignInTexts } from "./texts.ts";

/** Asks for an own password in place of one that an administrator chose. */
export function NewPasswordPage() {
  const texts = useSignInTexts();
  const shell = useShellTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: app, error, refetch } = useQuery(appQuery);
  const { data: me, error: unknown } = useQuery(meQuery);
  const problem = error ?? unknown;
  const [given, setGiven] = useState(readGivenPassword);
  useEffect(() => () => keepGivenPassword(undefined), []);
  const create = async (fields: FormData, newPassword: string) => {
    try {
      await choosePassword(given ?? String(fields.get("current") ?? ""), newPassword);
    } catch (error) {
      // another was given since
      if (toFailure(error).code === "password_wrong") setGiven(undefined);
      throw error;
    }
    return me?.email ?? "";
  };
  const enter = async () => {
    queries.clear();
    await queries.fetchQuery(meQuery);
    await navigate({ to: "/welcome", replace: true });
  };
  return (
    <Frame title={texts.newPassword}>
      {problem && <Problem error={problem} onRetry={() => void refetch()} />}
      {(!app || !me) && !problem && <Loading shape="fields" lines={2} />}
      {app && me && (
        <AccountForm
          minCharacters={app.limits.passwordCharacters}
          create={create}
          onSignedIn={enter}
          action={texts.setUp}
        >
          <h2 className="text-lg">{texts.newPassword}</h2>
          <p className="text-muted">{texts.newPasswordHint}</p>
          {/* for password managers */}
          <input
            type="email"
            name="email"
            autoComplete="username"
            value={me.email}
            readOnly
            hidden
          />
          {given === undefined && (
            <PasswordField
              label={texts.givenPassword}
              name="current"
              autoComplete="current-password"
              autoFocus
              required
            />
          )}
        </AccountForm>
      )}
      <p className="text-center">
        <a href="/sign-in" className="text-accent underline">
          {shell.signIn}
        </a>
      </p>
    </Frame>
  );
}
