import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Failure } from "../api/failure.ts";
import { appQuery, meQuery, recentQuery, signInWithCode } from "../shell/queries.ts";
import { Frame } from "./frame.tsx";
import { SetUpForm } from "./set-up-form.tsx";
import { SignInForm } from "../shell/sign-in-form.tsx";
import { useShellTexts } from "../shell/texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";

/** The sign-in page, to which identity providers also return. */
export function SignInPage() {
  const texts = useShellTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearch({ from: "/sign-in" });
  const onSignedIn = async () => {
    queries.clear();
    await queries.fetchQuery(meQuery);
    const start = async () =>
      (await queries.fetchQuery(recentQuery)).total === 0 ? "/welcome" : "/";
    const isDeep = next !== undefined && next !== "/";
    await navigate({ href: isDeep ? next : await start(), replace: true });
  };
  const { data: app } = useQuery(appQuery);
  const [hasPassword, setHasPassword] = useState(false);
  const problem = useReturnFromProvider(onSignedIn);
  return (
    <Frame title={texts.signIn}>
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

/** An identity provider's sign-in comes back with `#code=…`, or with `#error=…`. */
function useReturnFromProvider(onSignedIn: () => Promise<void>): unknown {
  const texts = useShellTexts();
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const code = fragment.get("code");
    const error = fragment.get("error");
    if (!code && !error) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (error) setProblem(new Failure(error, texts.providerRefused(toCode(error))));
    else if (code) signInWithCode(code).then(onSignedIn).catch(setProblem);
  }, []);
  return problem;
}

/** Whatever a link says: the address may come from anybody. */
function toCode(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : "unknown";
}
