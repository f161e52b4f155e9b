import { expect, test } from "vitest";
import type { User } from "../../platform/http/caller.ts";
import { GUARD_WITHOUT_ROLES } from "../../platform/http/guard.ts";
import type { ListedTool } from "./contract.ts";
import { permittedTools } from "./permitted-tools.ts";

const tool = { name: "erase", server: "one", effect: "destructive" } as ListedTool;
const refusalTo = (caller: Partial<User>) =>
  permittedTools(GUARD_WITHOUT_ROLES, { kind: "user", roles: [], ...caller } as User).check(
    "erase",
    [tool],
  );

test("a client of MCP is asked for what its user did not grant, and a key for its scope", async () => {
  await expect(refusalTo({ via: "mcp", scopes: ["tool:use"] })).rejects.toMatchObject({
    code: "grant_missing",
    message: expect.stringContaining("Connect it again"),
    headers: {
      "www-authenticate": 'Bearer error="insufficient_scope", scope="tool:approve"',
    },
  });
  await expect(refusalTo({ via: "key", scopes: ["tool:use"] })).rejects.toMatchObject({
    code: "scope_missing",
    message: expect.stringContaining("This API key"),
  });
  await expect(
    refusalTo({ via: "mcp", scopes: ["tool:use", "tool:approve"] }),
  ).resolves.toBe(undefined);
});
