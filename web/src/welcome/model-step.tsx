import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { ConnectForm } from "../shell/connect/connect-form.tsx";
import { selectionsQuery } from "./queries.ts";
import { Step } from "./step.tsx";
import { useWelcomeTexts } from "./texts.ts";

/** Says which model answers, and connects one on the spot. */
export function ModelStep() {
  const texts = useWelcomeTexts();
  const { data, error, refetch } = useQuery(selectionsQuery);
  const mayConnect = usePermission("model:administer");
  const [isOpen, setOpen] = useState(false);
  const model = data?.items[0];
  const isOffline = !model || model.providerName === "offline";
  return (
    <Step title={texts.modelTitle}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={1} className="p-0" />}
      {data && (
        <p className="max-w-prose">
          {isOffline ? texts.noModel : texts.modelReady(model.displayName)}
        </p>
      )}
      {data && isOffline && !mayConnect && (
        <p className="text-muted">{texts.noModelUser}</p>
      )}
      {mayConnect && !isOpen && (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          {isOffline ? texts.connect : texts.connectAnother}
        </Button>
      )}
      {isOpen && <ConnectForm onClose={() => setOpen(false)} />}
    </Step>
  );
}
