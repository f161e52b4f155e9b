import { reportError } from "../../platform/http/reported-error.ts";
import { Routes } from "../../platform/http/routes.ts";
import { sandboxContract as contract } from "./contract.ts";
import type { Sandbox } from "./open-sandbox.ts";
import { runCode, type RunDeps } from "./run-code.ts";

interface Deps extends Omit<RunDeps, "sessions"> {
  sandbox: Sandbox;
}

export function sandboxRoutes({ sandbox, ...deps }: Deps): Routes {
  const { sessions, packages } = sandbox;
  return new Routes()
    .on(contract.sandboxState, async () => {
      const lack = await sandbox.lacks();
      return { packages, ...(lack && { lack: reportError(lack) }) };
    })
    .on(contract.runCode, ({ body, signal }) =>
      runCode({ ...deps, sessions }, body, signal),
    );
}
