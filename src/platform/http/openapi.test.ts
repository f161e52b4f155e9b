import { expect, test } from "vitest";
import { z } from "zod";
import { openApi } from "./openapi.ts";
import { route } from "./route.ts";

interface Described {
  paths: Record<string, Record<string, { parameters: object[]; requestBody?: { content: Record<string, { schema: object }> } }>>;
}

test("a route that takes a file says how: multipart with its fields, or the bare bytes, and the headers that it reads", () => {
  const contract = {
    take: route({
      method: "post",
      path: "/take",
      access: "public",
      raw: true,
      upload: { as: ["multipart", "bytes"], fields: z.object({ folderId: z.uuid().optional() }) },
      headers: { "X-Original-Filename": "its name" },
      summary: "Take a file",
    }),
  };
  const { paths } = openApi([{ name: "files", contract }], "1") as Described;
  const { requestBody, parameters } = paths["/take"]?.["post"] ?? { parameters: [] };
  expect(requestBody?.content["multipart/form-data"]?.schema).toMatchObject({
    properties: { folderId: { type: "string" }, file: { type: "string", format: "binary" } },
    required: ["file"],
  });
  expect(requestBody?.content["application/octet-stream"]?.schema).toEqual({ type: "string", format: "binary" });
  expect(parameters).toEqual([
    { name: "X-Original-Filename", in: "header", description: "its name", schema: { type: "string" } },
  ]);
});
