import { afterAll, beforeAll, expect, test } from "vitest";
import { type CatalogueServer, startCatalogueServer } from "./support/catalogue-server.ts";

let server: CatalogueServer;
beforeAll(async () => {
  server = await startCatalogueServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test("each endpoint refuses anonymous callers, wrong bodies, unknown ids, wrong pages, and changes by users who are not administrators", async () => {
  const model = { name: "x", kind: "completion" };
  const entry = {
    modelId: "openai/gpt-test",
    providerName: "openai",
    providerModelId: "x",
  };
  const lists = [
    "/models",
    "/models/all",
    "/models/completion",
    "/models/embedding",
    "/model-providers",
    "/model-providers/all",
  ].concat(
    [
      "",
      "/all",
      "/selections",
      "/selections/completion",
      "/selections/embedding",
      "/provider/openai",
      "/model/x",
    ].map((path) => `/available-models${path}`),
  );
  for (const path of lists) {
    expect([path, (await server.ask("GET", path, undefined, server.user)).status]).toEqual([
      path,
      200,
    ]);
    expect(
      (await server.ask("GET", `${path}?limit=1&page=2`, undefined, server.user)).body,
    ).toMatchObject({
      page: 2,
      limit: 1,
    });
    for (const query of ["limit=0", "limit=101", "page=0", "page=x"])
      expect([
        path,
        query,
        (await server.ask("GET", `${path}?${query}`, undefined, server.user)).status,
      ]).toEqual([path, query, 400]);
  }
  const changes: [string, string, unknown, unknown][] = [
    ["POST", "/models", model, { name: "x", kind: "none" }],
    ["PATCH", "/models/absent", { name: "x" }, { name: "" }],
    ["DELETE", "/models/absent", undefined, undefined],
    [
      "POST",
      "/model-providers",
      { name: "x", kind: "ollama", config: {} },
      { name: "x", kind: "offline" },
    ],
    ["POST", "/model-providers/absent/test", undefined, undefined],
    ["PATCH", "/model-providers/absent", { enabled: true }, { enabled: "yes" }],
    ["DELETE", "/model-providers/absent", undefined, undefined],
    ["POST", "/available-models", entry, { ...entry, pricing: { inputPerMillion: -1 } }],
    ["PATCH", "/available-models/absent", { enabled: true }, { position: -1 }],
    ["DELETE", "/available-models/absent", undefined, undefined],
  ];
  for (const [method, path, right, wrong] of changes) {
    expect([
      method,
      path,
      (await server.ask(method, path, right, server.user)).status,
    ]).toEqual([method, path, 403]);
    expect([
      method,
      path,
      (
        await server.parlance.request(`/api/v1${path}`, {
          method,
          token: null,
          body: right,
        })
      ).status,
    ]).toEqual([method, path, 401]);
    if (wrong !== undefined)
      expect([method, path, (await server.ask(method, path, wrong)).status]).toEqual([
        method,
        path,
        400,
      ]);
    if (path.includes("absent"))
      expect([method, path, (await server.ask(method, path, right)).status]).toEqual([
        method,
        path,
        404,
      ]);
  }
  for (const path of [
    "/models/absent",
    "/model-providers/absent",
    "/model-providers/absent/config-schema",
    "/available-models/absent",
  ])
    expect([path, (await server.ask("GET", path, undefined, server.user)).status]).toEqual([
      path,
      404,
    ]);
  for (const path of ["/available-models/validate", "/available-models/by-ids"]) {
    for (const ids of [[], "x", Array.from({ length: 101 }, (_, n) => String(n))])
      expect((await server.ask("POST", path, { ids }, server.user)).status).toBe(400);
  }
});
