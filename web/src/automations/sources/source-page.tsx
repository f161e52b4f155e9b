import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { BackLink } from "../../ui/back-link.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Cause } from "../runs/state.tsx";
import { Items } from "./items.tsx";
import { sourceQuery, renewSecret } from "./queries.ts";
import { SourceForm } from "./source-form.tsx";
import { useSourceTexts } from "./texts.ts";
import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { AUTOMATION_KEYS } from "../use-automation-change.ts";
import { Section } from "../../ui/section.tsx";
import { Example } from "./example.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** `/automations/sources/$id`: what a source watches, and what became of what it found. */
export function SourcePage() {
  const texts = useSourceTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(sourceQuery(id));
  return (
    <Page title={data?.name ?? texts.back}>
      <div className="grid grid-cols-1 gap-8">
        <BackLink to="/automations/sources" label={texts.back} />
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading />}
        {data && (
          <>
            <Cause error={data.error} />
            {data.kind === "webhook" && <Webhook id={data.id} url={data.url} />}
            <SourceForm key={data.id} source={data} />
            {data.kind !== "webhook" && <Items sourceId={data.id} />}
          </>
        )}
      </div>
    </Page>
  );
}

/** How other programs send to a webhook. */
function Webhook({ id, url }: { id: string; url: string }) {
  const texts = useSourceTexts();
  const mayRenew = usePermission("automation:update");
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Section
      title={texts.webhook}
      hint={texts.webhookHint}
      actions={
        mayRenew && <Button onClick={() => setAsking(true)}>{texts.newSecret}</Button>
      }
    >
      <Example url={url} />
      {isAsking && (
        <ConfirmChange
          title={texts.newSecretTitle}
          text={texts.newSecretText}
          action={texts.newSecret}
          run={() => renewSecret(id)}
          keys={AUTOMATION_KEYS}
          onDone={(made) => setSecret(made.secret)}
          onClose={() => setAsking(false)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog url={url} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Section>
  );
}
