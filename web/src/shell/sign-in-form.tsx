import { useMutation, useQuery } from "@tanstack/react-query";
import { toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { identityProvidersQuery, signIn } from "./queries.ts";
import { useShellTexts } from "./texts.ts";

interface SignInFormProps {
  /** Filled in when it is known. */
  email?: string | undefined;
  onSignedIn: () => void | Promise<void>;
}

/** Email and password, or the organisation's own identity provider. */
export function SignInForm({ email, onSignedIn }: SignInFormProps) {
  const texts = useShellTexts();
  const attempt = useMutation({ mutationFn: signIn, onSuccess: onSignedIn });
  const problem = useErrorText(attempt.error ? toFailure(attempt.error) : undefined);
  return (
    <div className="grid gap-4">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const text = (name: string) => String(form.get(name) ?? "");
          attempt.mutate({ email: text("email"), password: text("password") });
        }}
      >
        <TextField
          label={texts.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          autoFocus={!email}
          required
        />
        <TextField
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          data-first={email}
          error={problem || undefined}
          required
        />
        <Button type="submit" look="primary" busy={attempt.isPending}>
          {texts.signIn}
        </Button>
      </form>
      <IdentityProviders />
    </div>
  );
}

function IdentityProviders() {
  const texts = useShellTexts();
  const { data } = useQuery(identityProvidersQuery);
  if (!data || data.items.length === 0) return null;
  const returnTo = encodeURIComponent(`/sign-in${location.search}`);
  return (
    <div className="grid gap-2">
      <p className="text-center text-xs text-muted">{texts.or}</p>
      {data.items.map(({ name, displayName, url }) => (
        <a
          key={name}
          href={`${url}?returnTo=${returnTo}`}
          className={
            "inline-flex min-h-9 items-center justify-center rounded-md border border-control " +
            "bg-raised px-3 font-medium hover:bg-sunken pointer-coarse:min-h-11"
          }
        >
          {texts.signInWith(displayName)}
        </a>
      ))}
    </div>
  );
}
