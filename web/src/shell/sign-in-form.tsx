import { useMutation, useQuery } from "@tanstack/react-query";
import { toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button, buttonLook } from "../ui/button.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { identityProvidersQuery, signIn } from "./queries.ts";
import { useShellTexts } from "./texts.ts";

interface SignInFormProps {
  /** Filled in when it is known. */
  email?: string | undefined;
  /** The identity provider asks the person again, also one who is signed in there. */
  isProof?: boolean;
  /** @param password with which it was, if it was by one. */
  onSignedIn: (password: string) => void | Promise<void>;
}

/** Email and password, or the organisation's own identity provider. */
export function SignInForm({ email, isProof = false, onSignedIn }: SignInFormProps) {
  const texts = useShellTexts();
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (_, { password }) => onSignedIn(password),
  });
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
        <PasswordField
          label={texts.password}
          name="password"
          autoComplete="current-password"
          // for its dialog; it may also come after it
          data-first={email === undefined ? undefined : ""}
          autoFocus={email !== undefined}
          error={problem || undefined}
          required
        />
        <Button type="submit" look="primary" busy={attempt.isPending}>
          {texts.signIn}
        </Button>
      </form>
      <IdentityProviders isProof={isProof} />
    </div>
  );
}

function IdentityProviders({ isProof }: { isProof: boolean }) {
  const texts = useShellTexts();
  const { data } = useQuery(identityProvidersQuery);
  if (!data || data.items.length === 0) return null;
  // back to this page, where the sign-in comes from a dialog over it
  const here = new URLSearchParams({ next: location.pathname + location.search });
  const page = isProof ? `/sign-in?${here}` : `/sign-in${location.search}`;
  const query = new URLSearchParams({ returnTo: page, ...(isProof && { fresh: "true" }) });
  return (
    <div className="grid gap-2">
      <p className="text-center text-xs text-muted">{texts.or}</p>
      {data.items.map(({ name, displayName, url }) => (
        <a key={name} href={`${url}?${query}`} className={buttonLook()}>
          {texts.signInWith(displayName)}
        </a>
      ))}
    </div>
  );
}
