import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import {
  type NewServer,
  type ServerState,
  type ToolServer,
  type ServerTest,
  testServer,
} from "./queries.ts";
import { readServer, writePairs } from "./server-fields.ts";
import { useToolTexts } from "./texts.ts";
import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { toReportedFailure } from "../../api/failure.ts";
import { formatNumber } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { AddressProblem } from "../../shell/connect/address-problem.tsx";

interface ServerDialogProps {
  title: string;
  action: string;
  /** The server to change; undefined for a new one. */
  server?: ToolServer;
  state?: ServerState | undefined;
  run: (server: NewServer) => Promise<void>;
  onClose: () => void;
}

/** Address, headers and names of a tool server. */
export function ServerDialog(props: ServerDialogProps) {
  const { title, action, server, state, run, onClose } = props;
  const texts = useToolTexts();
  const save = useChange({
    run,
    keys: [["tool-servers"]],
    onDone() {
      onClose();
      notify(texts.saved);
    },
  });
  return (
    <FormDialog
      title={title}
      size="medium"
      action={action}
      busy={save.isPending}
      problem={
        save.error && (
          <AddressProblem
            error={save.error}
            onAllowed={() => save.variables && save.mutate(save.variables)}
          />
        )
      }
      onSubmit={(fields) => save.mutate(readServer(fields, server))}
      onClose={onClose}
    >
      {!server && (
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          name="name"
          maxLength={64}
          pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
          autoComplete="off"
          required
        />
      )}
      <TextField
        label={texts.address}
        hint={texts.addressHint}
        name="url"
        type="url"
        placeholder="https://tools.example/mcp"
        defaultValue={server?.url}
        maxLength={10_000}
        required
      />
      <Headers stored={server?.headers} isNew={server === undefined} />
      <Checkbox
        name="trusted"
        defaultChecked={server?.trusted === true}
        label={texts.trusted}
        hint={texts.trustedHint}
      />
      <SignInFields server={server} state={state} />
      <ToolNames server={server} />
      <ServerTestPart server={server} />
    </FormDialog>
  );
}

interface HeadersProps {
  stored: ToolServer["headers"];
  isNew: boolean;
}

/** Stored values are never shown. Either all are kept, or all are replaced. */
function Headers({ stored, isNew }: HeadersProps) {
  const texts = useToolTexts();
  const [isReplacing, setReplacing] = useState(isNew);
  const names = Object.keys(stored ?? {}).join(", ");
  return (
    <>
      {!isNew && (
        <Checkbox
          name="replaceHeaders"
          checked={isReplacing}
          onChange={({ target }) => setReplacing(target.checked)}
          label={texts.replaceHeaders}
          hint={names ? texts.storedHeaders(names) : texts.noHeaders}
        />
      )}
      {isReplacing && (
        <TextArea
          label={texts.headers}
          hint={texts.headersHint}
          name="headers"
          isCode
          rows={2}
          placeholder="Authorization: Bearer …"
          autoComplete="off"
        />
      )}
    </>
  );
}

/** As what Parlance is known where the server signs users in. */
function SignInFields({ server, state }: Pick<ServerDialogProps, "server" | "state">) {
  const texts = useToolTexts();
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-muted">{texts.oauth}</summary>
      <div className="grid gap-3 pt-2">
        <p className="text-muted">{texts.oauthHint}</p>
        <TextField
          label={texts.clientId}
          hint={texts.clientIdHint}
          name="clientId"
          defaultValue={server?.oauth?.clientId}
          maxLength={2_000}
          autoComplete="off"
        />
        <TextField
          label={texts.clientSecret}
          hint={texts.clientSecretHint}
          name="clientSecret"
          type="password"
          maxLength={10_000}
          autoComplete="off"
        />
        <TextField
          label={texts.issuer}
          hint={state?.issuer ? texts.issuerNow(state.issuer) : texts.issuerHint}
          name="issuer"
          type="url"
          defaultValue={server?.oauth?.issuer}
          maxLength={2_000}
          autoComplete="off"
        />
        {state?.redirectUri && (
          <p className="text-xs text-muted">
            {texts.redirectUri} <bdi className="wrap-anywhere">{state.redirectUri}</bdi>
          </p>
        )}
        <TextArea
          label={texts.scopes}
          hint={texts.scopesHint}
          name="scopes"
          isCode
          rows={2}
          defaultValue={server?.oauth?.scopes?.join("\n")}
        />
      </div>
    </details>
  );
}

/** Which tools are offered, and under which names. */
function ToolNames({ server }: { server: ToolServer | undefined }) {
  const texts = useToolTexts();
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-muted">{texts.names}</summary>
      <div className="grid gap-3 pt-2">
        <TextArea
          label={texts.hide}
          hint={texts.hideHint}
          name="hide"
          isCode
          rows={2}
          defaultValue={server?.hide?.join("\n")}
        />
        <TextArea
          label={texts.rename}
          hint={texts.renameHint}
          name="rename"
          isCode
          rows={2}
          defaultValue={writePairs(server?.rename, " = ")}
        />
      </div>
    </details>
  );
}

/** A part of a form that tests the entered server, and lists its tools. */
function ServerTestPart({ server }: { server: ToolServer | undefined }) {
  const texts = useToolTexts();
  const test = useMutation({ mutationFn: testServer });
  const refusal = test.data?.error && toReportedFailure(test.data.error);
  const problem = test.error ?? refusal;
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        busy={test.isPending}
        onClick={({ currentTarget: { form } }) => {
          if (form?.reportValidity()) test.mutate(readServer(new FormData(form), server));
        }}
      >
        {texts.test}
      </Button>
      {problem && !test.isPending && (
        <AddressProblem
          error={problem}
          onAllowed={() => test.variables && test.mutate(test.variables)}
        />
      )}
      {test.data?.ok && !test.isPending && <Found test={test.data} />}
    </div>
  );
}

function Found({ test: { tools, latencyMs } }: { test: ServerTest }) {
  const texts = useToolTexts();
  return (
    <div className="grid w-full min-w-0 gap-1">
      <p role="status" className="flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={18} />
        {texts.testFound(formatNumber(tools.length), formatNumber(latencyMs))}
      </p>
      <ul
        tabIndex={0}
        aria-label={texts.testTools}
        className="max-h-48 divide-y divide-hairline overflow-y-auto"
      >
        {tools.map(({ name, title, description }) => (
          <li key={name} className="min-w-0 py-1">
            <bdi className="block truncate font-medium" title={name}>
              {title ?? name}
            </bdi>
            <bdi className="line-clamp-2 text-xs text-muted wrap-anywhere">
              {description}
            </bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
