import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Section } from "../../ui/section.tsx";
import { useAutomationChange } from "../use-automation-change.ts";
import { Example } from "./example.tsx";
import { renewSecret } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { useSourceTexts } from "./texts.ts";

/** How other programs send to a webhook. */
export function Webhook({ id, url }: { id: string; url: string }) {
  const texts = useSourceTexts();
  const mayRenew = usePermission("automation:update");
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const renew = useAutomationChange(
    () => renewSecret(id),
    (made) => {
      setAsking(false);
      setSecret(made.secret);
    },
  );
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
        <Confirm
          title={texts.newSecretTitle}
          text={texts.newSecretText}
          action={texts.newSecret}
          busy={renew.isPending}
          error={renew.error}
          onConfirm={() => renew.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog url={url} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Section>
  );
}
