import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { McpScope } from "../../../src/services/users/contract-mcp-clients.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { ChooseTools } from "./choose-tools.tsx";
import { decide, readAuthorization, readRequest } from "./client-queries.ts";
import { useClientTexts } from "./client-texts.ts";
import { useSettingsTexts } from "./texts.ts";

type ClientRequest = NonNullable<ReturnType<typeof readRequest>>;

/** Where a client of MCP sends its user, who grants it tools or refuses. */
export function AuthorizeClient() {
  const texts = useClientTexts();
  const [request] = useState(() => readRequest(location.search));
  return (
    <Page title={texts.authorize} width="measure">
      {request ? <Asked request={request} /> : <p>{texts.noRequest}</p>}
    </Page>
  );
}

function Asked({ request }: { request: ClientRequest }) {
  const texts = useClientTexts();
  const asked = useQuery({
    queryKey: ["settings", "mcp-authorization", request],
    queryFn: ({ signal }) => readAuthorization(request, signal),
    staleTime: Infinity,
  });
  if (asked.isPending) return <Loading className="px-0" />;
  if (asked.error)
    return <Problem error={asked.error} onRetry={() => void asked.refetch()} />;
  const { clientName, clientDocument, redirectHost, isLocal, scopes } = asked.data;
  return (
    <div className="grid gap-4">
      <p className="text-lg wrap-anywhere">{texts.wants(clientName)}</p>
      <dl className="grid gap-2">
        <Fact name={texts.saidBy} value={clientDocument ?? texts.saidByNobody} />
        <Fact
          name={texts.returnsTo}
          value={isLocal ? texts.ownMachine(redirectHost) : redirectHost}
        />
      </dl>
      <p className="text-muted">{texts.onlyIf}</p>
      <Choice request={request} scopes={scopes} />
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

function Choice({
  request,
  scopes,
}: {
  request: ClientRequest;
  scopes: readonly McpScope[];
}) {
  const texts = useClientTexts();
  const { chooseTools } = useSettingsTexts();
  const [tools, setTools] = useState<readonly string[]>();
  // what destroys something is granted by a tick of its own alone
  const [chosen, setChosen] = useState<McpScope[]>(() =>
    scopes.filter((scope) => scope === "tool:use"),
  );
  const answer = useMutation({ mutationFn: decide });
  const toggle = (scope: McpScope, isOn: boolean) =>
    setChosen((before) =>
      isOn ? [...before, scope] : before.filter((one) => one !== scope),
    );
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="pb-1 font-medium">{texts.scopesTitle}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={texts.scopes[scope]}
            hint={texts.scopeHints[scope]}
            // whoever runs tools unasked uses them
            checked={chosen.includes(scope) || chosen.includes("tool:approve")}
            onChange={({ target }) => toggle(scope, target.checked)}
          />
        ))}
      </fieldset>
      <ChooseTools legend={texts.toolsTitle} value={tools} onChange={setTools} />
      {tools?.length === 0 && <p className="text-sm text-muted">{chooseTools.chooseOne}</p>}
      {answer.error && <Problem error={answer.error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={answer.isPending}
          disabled={chosen.length === 0 || tools?.length === 0}
          onClick={() =>
            answer.mutate({ request, scopes: chosen, ...(tools && { tools: [...tools] }) })
          }
        >
          {texts.allow}
        </Button>
        <Button
          disabled={answer.isPending}
          onClick={() => answer.mutate({ request, scopes: [] })}
        >
          {texts.refuse}
        </Button>
      </div>
    </>
  );
}
