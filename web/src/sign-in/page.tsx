import { useQuery, useQueryClient, useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Failure, toFailure } from "../api/failure.ts";
import {
  appQuery,
  meQuery,
  recentQuery,
  signInWithCode,
  setUp,
  signInWithPassword,
} from "../shell/queries.ts";
import { toPath } from "./to-path.ts";
import { Frame } from "./frame.tsx";
import { SignInForm } from "../shell/sign-in-form.tsx";
import { useShellTexts } from "../shell/texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { textOf } from "../ui/form-dialog.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { keepGivenPassword } from "./given-password.ts";
import { AccountForm } from "./account-form.tsx";
import { useErrorText } from "../texts/errors.ts";
import { useSignInTexts } from "./texts.ts";

/** The sign-in page, to which identity providers also return. */
export function SignInPage() {
  const texts = useSignInTexts();
  const shell = useShellTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const next = toPath(useSearch({ from: "/sign-in" }).next);
  const onSignedIn = async (password?: string) => {
    queries.clear();
    const me = await queries.fetchQuery(meQuery);
    keepGivenPassword(me.passwordIsTemporary ? password : undefined);
    const start = async () =>
      (await queries.fetchQuery(recentQuery)).total === 0 ? "/welcome" : "/";
    const isDeep = next !== undefined && next !== "/";
    await navigate({ href: isDeep ? next : await start(), replace: true });
  };
  const { data: app } = useQuery(appQuery);
  const [hasPassword, setHasPassword] = useState(false);
  const { problem, link, cancel } = useReturnFromProvider(onSignedIn);
  if (link !== undefined)
    return (
      <Frame title={shell.signIn}>
        <LinkForm code={link} onSignedIn={onSignedIn} onCancel={cancel} />
      </Frame>
    );
  return (
    <Frame title={shell.signIn}>
      {problem !== undefined && <Problem error={problem} />}
      {app?.setup && !hasPassword ? (
        <>
          <SetUpForm
            minCharacters={app.limits.passwordCharacters}
            onSignedIn={onSignedIn}
          />
          <Button look="quiet" onClick={() => setHasPassword(true)}>
            {texts.hasPassword}
          </Button>
        </>
      ) : (
        <SignInForm onSignedIn={onSignedIn} />
      )}
      {app?.signUp && !app.setup && (
        <p className="text-center">
          {texts.noAccount}{" "}
          <Link to="/sign-up" className="text-accent underline">
            {texts.signUp}
          </Link>
        </p>
      )}
    </Frame>
  );
}

interface Return {
  problem: unknown;
  /** The code with which the password of an account is sent. */
  link: string | undefined;
  cancel: () => void;
}

/** An identity provider's sign-in comes back with `#code=…`, `#link=…`, or with `#error=…`. */
function useReturnFromProvider(onSignedIn: () => Promise<void>): Return {
  const texts = useSignInTexts();
  const [problem, setProblem] = useState<unknown>();
  const [link, setLink] = useState<string>();
  useEffect(() => {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const code = fragment.get("code");
    const error = fragment.get("error");
    const toLink = fragment.get("link");
    if (!code && !error && !toLink) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (error) setProblem(new Failure(error, texts.providerRefused(toCode(error))));
    else if (toLink) setLink(toLink);
    else if (code) signInWithCode(code).then(onSignedIn).catch(setProblem);
  }, []);
  return { problem, link, cancel: () => setLink(undefined) };
}

/** Whatever a link says: the address may come from anybody. */
function toCode(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : "unknown";
}

interface SetUpProps {
  /** Of the shortest password. */
  minCharacters: number;
  onSignedIn: () => void | Promise<void>;
}

/** The first administrator gives a password in place of the one that the start printed. */
function SetUpForm({ minCharacters, onSignedIn }: SetUpProps) {
  const texts = useSignInTexts();
  const shell = useShellTexts();
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
      {/* counts once, and a second password would be another form to browsers */}
      <TextField
        label={texts.setUpCode}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
      />
      <TextField label={texts.setUpName} name="name" autoComplete="name" maxLength={200} />
      <TextField
        label={shell.email}
        hint={texts.setUpEmailHint}
        name="email"
        type="email"
        autoComplete="username"
      />
    </AccountForm>
  );
}

interface LinkFormProps {
  /** With which the identity provider's sign-in came back. */
  code: string;
  onSignedIn: () => void | Promise<void>;
  onCancel: () => void;
}

/** Asks once for the password of the account that has the email of the provider's. */
function LinkForm({ code, onSignedIn, onCancel }: LinkFormProps) {
  const texts = useSignInTexts();
  const shell = useShellTexts();
  const attempt = useMutation({
    mutationFn: (password: string) => signInWithPassword(code, password),
    onSuccess: onSignedIn,
  });
  const failure = attempt.error ? toFailure(attempt.error) : undefined;
  const sentence = useErrorText(failure);
  const problem = failure?.code === "credentials_wrong" ? texts.linkWrong : sentence;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const password = new FormData(event.currentTarget).get("password");
        if (!attempt.isPending) attempt.mutate(String(password));
      }}
    >
      <p>{texts.linkHint}</p>
      <PasswordField
        label={shell.password}
        name="password"
        autoComplete="current-password"
        error={problem || undefined}
        autoFocus
        required
      />
      <Button type="submit" look="primary" busy={attempt.isPending}>
        {texts.link}
      </Button>
      <Button look="quiet" onClick={onCancel}>
        {texts.linkCancel}
      </Button>
    </form>
  );
}
