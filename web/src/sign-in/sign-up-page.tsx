import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { appQuery, meQuery, signUp } from "../shell/queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { textOf } from "../ui/form-dialog.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AccountForm } from "./account-form.tsx";
import { Frame } from "./frame.tsx";
import { useSignInTexts } from "./texts.ts";

/** Creates an account, where the installation lets anybody do so. */
export function SignUpPage() {
  const texts = useSignInTexts();
  const shell = useShellTexts();
  const { data: app, error, refetch } = useQuery(appQuery);
  return (
    <Frame title={texts.signUp}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!app && !error && <Loading shape="fields" lines={3} />}
      {app && !app.signUp && <p role="status">{texts.signUpClosed}</p>}
      {app?.signUp && <SignUpForm minCharacters={app.limits.passwordCharacters} />}
      <p className="text-center">
        {texts.hasAccount}{" "}
        <Link to="/sign-in" className="text-accent underline">
          {shell.signIn}
        </Link>
      </p>
    </Frame>
  );
}

function SignUpForm({ minCharacters }: { minCharacters: number }) {
  const texts = useSignInTexts();
  const shell = useShellTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = async (fields: FormData, password: string) => {
    const email = textOf(fields, "email");
    await signUp({ name: textOf(fields, "name"), email, password });
    return email;
  };
  const enter = async () => {
    queries.clear();
    await queries.fetchQuery(meQuery);
    await navigate({ to: "/welcome", replace: true });
  };
  return (
    <AccountForm
      minCharacters={minCharacters}
      create={create}
      onSignedIn={enter}
      action={texts.signUp}
    >
      <h2 className="text-lg">{texts.signUp}</h2>
      <TextField
        label={texts.setUpName}
        name="name"
        autoComplete="name"
        maxLength={200}
        autoFocus
        required
      />
      <TextField
        label={shell.email}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={320}
        required
      />
    </AccountForm>
  );
}
