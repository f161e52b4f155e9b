import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import {
  completeConnection,
  readSignInAnswer,
  returnPath,
} from "../shell/connect/account-queries.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { useSettingsTexts } from "./texts.ts";

/** Where the sign-in of a tool server sends the browser back to. It ends the sign-in. */
export function ConnectionCallback() {
  const { connections: texts } = useSettingsTexts();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [answer] = useState(() => readSignInAnswer(location));
  const [problem, setProblem] = useState<unknown>();
  const isSent = useRef(false);
  useEffect(() => {
    // what was sent back counts once, however often the page is drawn
    if (!answer || isSent.current) return;
    isSent.current = true;
    completeConnection(answer).then(async ({ server }) => {
      notify(texts.connected(server));
      await queries.invalidateQueries({ queryKey: ["tool-servers"] });
      await navigate({ to: returnPath(), replace: true });
    }, setProblem);
  }, [answer, navigate, queries, texts]);
  return (
    <Page title={texts.title}>
      {answer && problem === undefined && <Loading />}
      {problem !== undefined && <Problem error={problem} />}
      {!answer && <p>{texts.noAnswer}</p>}
      {(!answer || problem !== undefined) && (
        <Button onClick={() => void navigate({ to: returnPath(), replace: true })}>
          {texts.back}
        </Button>
      )}
    </Page>
  );
}
