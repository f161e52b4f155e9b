import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../shell/use-change.ts";
import { toSentence } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { accountQuery, healthQuery, keyQuery, makeAccount } from "./queries.ts";
import { useFlowTexts } from "./texts.ts";

/** `/flows/account`: the person's account at the flow provider, and their key. */
export function AccountPage() {
  return (
    <Frame>
      <div className="grid grid-cols-1 gap-8">
        <Account />
        <Key />
        <Health />
      </div>
    </Frame>
  );
}

function Account() {
  const texts = useFlowTexts();
  const { data, error, refetch } = useQuery(accountQuery);
  const make = useChange({ run: makeAccount, keys: [accountQuery.queryKey] });
  return (
    <Section title={texts.account} hint={texts.accountHint}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading lines={2} className="px-0" />}
      {data === null && (
        <div className="grid grid-cols-1 justify-items-start gap-3">
          <p>{texts.noAccount}</p>
          {make.error && <Problem error={make.error} />}
          <Button busy={make.isPending} onClick={() => make.mutate()}>
            {texts.makeAccount}
          </Button>
        </div>
      )}
      {data && (
        <dl className="grid grid-cols-1 gap-3">
          <div>
            <dt className="text-xs text-muted">{texts.username}</dt>
            <dd className="wrap-anywhere">{data.username}</dd>
          </div>
          <Secret label={texts.password} value={data.password} />
        </dl>
      )}
    </Section>
  );
}

function Key() {
  const texts = useFlowTexts();
  const { data, error, refetch } = useQuery(keyQuery);
  return (
    <Section title={texts.key} hint={texts.keyHint}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data === null && <p className="text-muted">{texts.noKey}</p>}
      {data && (
        <>
          <dl>
            <Secret label={texts.key} value={data.apiKey} />
          </dl>
          <p className="text-muted">{texts.keyFlows(data.flows.length)}</p>
        </>
      )}
    </Section>
  );
}

/** A secret that is hidden until it is asked for. */
function Secret({ label, value }: { label: string; value: string }) {
  const texts = useFlowTexts();
  const [isShown, setShown] = useState(false);
  const copy = () => copyText(value).then(() => notify(texts.copied));
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-xs wrap-anywhere">
          {isShown ? value : "•".repeat(12)}
        </span>
        <Button
          look="quiet"
          aria-label={`${isShown ? texts.hide : texts.show}: ${label}`}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? texts.hide : texts.show}
        </Button>
        <Button
          look="quiet"
          aria-label={`${texts.copy}: ${label}`}
          onClick={() => void copy()}
        >
          {texts.copy}
        </Button>
      </dd>
    </div>
  );
}

function Health() {
  const texts = useFlowTexts();
  const { data, error, refetch } = useQuery(healthQuery);
  const reason = useErrorText(data && toSentence(data.reason, data));
  return (
    <Section title={texts.health}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && (
        <p role="status">
          {data.status === "up" ? texts.up(data.version ?? "") : texts[data.status]}
          {reason && <span className="block text-muted">{reason}</span>}
        </p>
      )}
    </Section>
  );
}
