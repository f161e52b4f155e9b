import { expect, test } from "vitest";
import type { User } from "../../../platform/http/caller.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { type PermittedUse, permittedUse } from "../permitted-use.ts";
import { listToolsets } from "./list-toolsets.ts";
import { offerPlatformTools } from "./platform-tools.ts";
import { isPlatformTool, permissionOf, TOOLSETS, toolsOfSet } from "./toolsets.ts";

const { signal } = new AbortController();
const user = { userId: "ada", clientId: "c", roles: [] } as unknown as User;
const FLOW = "flow_0b8f1ab7-1111-7000-8000-000000000001";

/** What a user may use whose roles grant these permissions. */
function useOf(...granted: string[]): PermittedUse {
  const guard = { allows: async (name: string) => granted.includes(name) };
  // choosing tools asks the guard alone
  return permittedUse({ guard: guard as unknown as Guard } as Parameters<
    typeof permittedUse
  >[0]);
}

test("every tool has one name, one toolset and the permission of either", () => {
  const names = TOOLSETS.flatMap(({ tools }) => tools.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(names.every(isPlatformTool)).toBe(true);
  expect(permissionOf("create_canvas")).toBe("canvas:create");
  expect(permissionOf("read_canvas")).toBe("canvas:read");
  expect(permissionOf("search_documents")).toBe("document:search");
  expect(permissionOf(FLOW)).toBe("flow:run");
  expect(permissionOf("of_a_server")).toBe("tool:use");
  expect([FLOW, "of_a_server"].map(isPlatformTool)).toEqual([true, false]);
});

test("the name of a toolset stands for those of its tools that the roles permit", async () => {
  const all = ["create_canvas", "update_canvas", "read_canvas"];
  expect(toolsOfSet("toolset:canvas")).toEqual(all);
  const use = useOf("canvas:read", "canvas:create", "tool:use");
  const tools = ["toolset:canvas", "other", "read_canvas"];
  const permitted = ["create_canvas", "read_canvas", "other"];
  expect(await use.tools(user, tools, [])).toEqual(permitted);
  expect(await use.tools(user, undefined, tools)).toEqual(permitted);
});

test("a message that names a toolset without a permitted tool is refused, an agent goes without", async () => {
  for (const name of ["toolset:canvas", "toolset:unknown"]) {
    const use = useOf("tool:use");
    await expect(use.tools(user, [name], [])).rejects.toMatchObject({
      code: "permission_missing",
    });
    expect(await use.tools(user, undefined, [name])).toEqual([]);
  }
});

test("a toolset that cannot be used here is not offered, and says why", async () => {
  const offer = await offerPlatformTools({}, { names: [FLOW], userId: "ada" }, signal);
  expect(offer.tools).toEqual([]);
  expect(offer.lacking.map(({ code }) => code)).toEqual(["flows_unavailable"]);
  const use = useOf("canvas:read");
  const query = { page: 1, limit: 20 };
  const { items } = await listToolsets({ use }, user, query, signal);
  const missing = items.map(({ name, missing: lack }) => [name, lack?.code]);
  expect(Object.fromEntries(missing)).toMatchObject({
    canvas: undefined,
    documents: "retrieval_unavailable",
    flows: "flows_unavailable",
  });
});

test("the list says of each tool what it does and whether the user may have it", async () => {
  const query = { page: 1, limit: 1 };
  const use = useOf("canvas:read");
  const { items, total } = await listToolsets({ use }, user, query, signal);
  expect(total).toBe(TOOLSETS.length);
  expect(items.map(({ name }) => name)).toEqual(["canvas"]);
  expect(items[0]?.tools).toEqual([
    expect.objectContaining({
      name: "create_canvas",
      effect: "additive",
      openWorld: false,
      permitted: false,
    }),
    expect.objectContaining({ name: "update_canvas", permitted: false }),
    expect.objectContaining({
      name: "read_canvas",
      effect: "read_only",
      permitted: true,
    }),
  ]);
});
