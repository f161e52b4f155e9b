import { toReportedFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { Badge } from "../../ui/badge.tsx";
import type { ServerState, ToolServer } from "./queries.ts";
import { ServerActions } from "./server-actions.tsx";
import { useToolTexts } from "./texts.ts";

const LOOKS = {
  ready: "ok",
  idle: "ok",
  connecting: "plain",
  down: "danger",
  disabled: "warn",
} as const;

interface ServerRowProps {
  /** Undefined for a server of the file that the environment names. */
  server: ToolServer | undefined;
  /** Undefined until the gateway knows it. */
  state: ServerState | undefined;
}

/** A tool server: its address, its state, and its last error. */
export function ServerRow({ server, state }: ServerRowProps) {
  const texts = useToolTexts();
  const problem = useErrorText(state?.error && toReportedFailure(state.error));
  const name = server?.name ?? state?.name ?? "";
  return (
    <li className="grid gap-1 py-3">
      <div className="flex items-center gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
          <div className="min-w-0 flex-1 basis-52">
            <p className="truncate font-medium" title={name}>
              <bdi>{name}</bdi>
            </p>
            <p className="truncate text-xs text-muted" title={server?.url}>
              {server ? <bdi>{server.url}</bdi> : texts.fromFile}
            </p>
          </div>
          {state && (
            <span className="flex flex-wrap items-center gap-2">
              <span className="text-xs text-muted">{texts.toolCount(state.tools)}</span>
              <Badge look={LOOKS[state.state]} title={texts.stateHints[state.state]}>
                {texts.states[state.state]}
              </Badge>
            </span>
          )}
        </div>
        <ServerActions name={name} server={server} />
      </div>
      {problem && <p className="text-xs wrap-anywhere text-danger">{problem}</p>}
    </li>
  );
}
