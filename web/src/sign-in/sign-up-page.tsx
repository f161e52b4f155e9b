import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { toFailure } from "../api/failure.ts";
import { appQuery, meQuery, signIn, signUp } from "../shell/queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { textOf } from "../ui/form-dialog.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Frame } from "./frame.tsx";

/** Creates an account, where the installation lets anybody do so. */
export function SignUpPage() {
  const texts = useShellTexts();
  const { data: app, error, refetch } = useQuery(appQuery);
  return (
    <Frame>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!app && !error && <Loading />}
      {app && !app.signUp && <p role="status">{texts.signUpClosed}</p>}
      {app?.signUp && <SignUpForm minCharacters={app.limits.passwordCharacters} />}
      <p className="text-center">
        {texts.hasAccount}{" "}
        <Link to="/sign-in" className="text-accent underline">
          {texts.signIn}
        </Link>
      </p>
    </Frame>
  );
}

function SignUpForm({ minCharacters }: { minCharacters: number }) {
  const texts = useShellTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const attempt = useMutation({
    async mutationFn(fields: FormData) {
      const email = textOf(fields, "email");
      const password = String(fields.get("password") ?? "");
      await signUp({ name: textOf(fields, "name"), email, password });
      await signIn({ email, password });
    },
    async onSuccess() {
      queries.clear();
      await queries.fetchQuery(meQuery);
      await navigate({ to: "/welcome", replace: true });
    },
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
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={320}
        required
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
        {texts.signUp}
      </Button>
    </form>
  );
}
