import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  type CallToolResult,
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** What the scenarios of @modelcontextprotocol/conformance want of a server. */

export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TONE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
export const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
export const said = (text: string) => ({ type: "text" as const, text });
export const resource = (uri: string, text = "This is an embedded resource content.") => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text },
});

export const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

interface Meanwhile {
  args: Record<string, unknown>;
  elicit(message: string, properties: object): Promise<unknown>;
  sample(prompt: string): Promise<unknown>;
  log(text: string): Promise<void>;
  progress(part: number): Promise<void>;
}

type Run = (meanwhile: Meanwhile) => CallToolResult | Promise<CallToolResult>;
export const TOOLS: Record<string, Run> = {
  test_simple_text: () => ({
    content: [said("This is a simple text response for testing.")],
  }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: "audio", data: TONE, mimeType: "audio/wav" }],
  }),
  test_embedded_resource: () => ({ content: [resource("test://embedded-resource")] }),
  test_multiple_content_types: () => ({
    content: [
      said("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource"),
    ],
  }),
  test_error_handling: () => ({
    content: [said("This tool intentionally returns an error for testing")],
    isError: true,
  }),
  async test_tool_with_logging({ log }) {
    for (const part of ["started", "is processing", "completed"]) {
      await log(`Tool execution ${part}`);
      await sleep(50);
    }
    return { content: [said("logged")] };
  },
  async test_tool_with_progress({ progress }) {
    for (const part of [0, 50, 100]) {
      await progress(part);
      await sleep(50);
    }
    return { content: [said("progressed")] };
  },
  async test_sampling({ args, sample }) {
    const answer = JSON.stringify(await sample(String(args["prompt"])));
    return { content: [said(`LLM response: ${answer}`)] };
  },
  async test_elicitation({ args, elicit }) {
    const answer = await elicit(String(args["message"]), {
      username: { type: "string" },
      email: { type: "string" },
    });
    return { content: [said(`User response: ${JSON.stringify(answer)}`)] };
  },
  async test_elicitation_sep1034_defaults({ elicit }) {
    const answer = await elicit("Confirm", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: {
        type: "string",
        enum: ["active", "inactive", "pending"],
        default: "active",
      },
      verified: { type: "boolean", default: true },
    });
    return { content: [said(`Elicitation completed: ${JSON.stringify(answer)}`)] };
  },
  async test_elicitation_sep1330_enums({ elicit }) {
    const titled = ["First", "Second", "Third"].map((title, at) => ({
      const: `value${at + 1}`,
      title: `${title} Option`,
    }));
    const options = ["option1", "option2", "option3"];
    const answer = await elicit("Choose", {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled } },
    });
    return { content: [said(`Elicitation completed: ${JSON.stringify(answer)}`)] };
  },
  json_schema_2020_12_tool: () => ({ content: [said("fits")] }),
};

/** Runs a tool that asks nothing, for a server of 2026-07-28. */
export async function run(
  name: string,
  args: Record<string, unknown>,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const tool = TOOLS[name];
  if (!tool) throw new Error(`no tool ${name}`);
  const nobody = () => Promise.reject(new Error("nobody can be asked"));
  return tool({
    args,
    elicit: nobody,
    sample: nobody,
    log: (text) => mcpReq.log("info", text),
    async progress(progress) {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    },
  });
}

function createEverything(): McpServer {
  const server = new McpServer(
    { name: "everything", version: "1" },
    { capabilities: { logging: {}, tools: {}, resources: { subscribe: true } } },
  );
  server.registerResource("static-text", "test://static-text", {}, () => ({
    contents: [
      {
        uri: "test://static-text",
        mimeType: "text/plain",
        text: "This is the content of the static text resource.",
      },
    ],
  }));
  server.registerResource("static-binary", "test://static-binary", {}, () => ({
    contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: PIXEL }],
  }));
  server.registerResource("watched", "test://watched-resource", {}, () => ({
    contents: [{ uri: "test://watched-resource", text: "watched" }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    {},
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  const prompt = (...content: ReturnType<typeof said>[]) => ({
    messages: content.map((one) => ({ role: "user" as const, content: one })),
  });
  server.registerPrompt("test_simple_prompt", { description: "Simple" }, () =>
    prompt(said("This is a simple prompt for testing.")),
  );
  const words = ["test", "testing", "other"];
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "With arguments",
      argsSchema: {
        arg1: completable(z.string(), (begun) => words.filter((w) => w.startsWith(begun))),
        arg2: z.string(),
      },
    },
    ({ arg1, arg2 }) =>
      prompt(said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "With a resource", argsSchema: { resourceUri: z.string() } },
    ({ resourceUri }) => ({
      messages: [
        { role: "user", content: resource(resourceUri) },
        { role: "user", content: said("Please process the embedded resource above.") },
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "Image" }, () => ({
    messages: [
      { role: "user", content: image },
      { role: "user", content: said("Please analyze the image above.") },
    ],
  }));
  for (const schema of [SubscribeRequestSchema, UnsubscribeRequestSchema])
    server.server.setRequestHandler(schema, () => ({}));
  addTools(server);
  return server;
}

/** By hand, because the SDK's own way takes no JSON Schema. */
function addTools({ server }: McpServer): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `What ${name} does`,
      inputSchema: name.startsWith("json_schema")
        ? SCHEMA_2020
        : { type: "object", properties: {} },
      annotations: { readOnlyHint: true },
    })),
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params: { name, arguments: args = {}, _meta } }, extra) => {
      const { sendNotification, sendRequest } = extra;
      const run = TOOLS[name];
      if (!run) throw new Error(`no tool ${name}`);
      return run({
        args,
        elicit: (message, properties) =>
          sendRequest(
            {
              method: "elicitation/create",
              params: { message, requestedSchema: { type: "object", properties } },
            } as never, // any schema, also one that the SDK does not know
            ElicitResultSchema,
          ),
        sample: (prompt) =>
          sendRequest(
            {
              method: "sampling/createMessage",
              params: {
                messages: [{ role: "user", content: said(prompt) }],
                maxTokens: 100,
              },
            },
            CreateMessageResultSchema,
          ),
        log: (data) =>
          sendNotification({
            method: "notifications/message",
            params: { level: "info", data },
          }),
        async progress(progress) {
          const progressToken = _meta?.progressToken;
          if (progressToken === undefined) return;
          const params = { progressToken, progress, total: 100 };
          await sendNotification({ method: "notifications/progress", params });
        },
      });
    },
  );
}

/** A server of 2025-11-25 with sessions. */
export async function startEverythingServer(): Promise<AsyncDisposable & { url: string }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer((request, response) => {
    void (async () => {
      const id = request.headers["mcp-session-id"];
      const known = typeof id === "string" ? sessions.get(id) : undefined;
      if (typeof id === "string" && !known) return response.writeHead(404).end();
      const transport =
        known ??
        new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (created) => void sessions.set(created, transport),
        });
      if (!known)
        await createEverything().connect(transport as Parameters<McpServer["connect"]>[0]);
      await transport.handleRequest(request, response);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
