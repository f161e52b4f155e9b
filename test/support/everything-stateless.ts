import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  image,
  PIXEL,
  resource,
  run as runTool,
  said,
  SCHEMA_2020,
  TOOLS,
} from "./everything-server.ts";
import {
  startStatelessServer,
  type StatelessServer,
  type StatelessTool,
} from "./stateless-server.ts";

/** What the scenarios of @modelcontextprotocol/conformance want of a server of 2026-07-28. */

const states = createRequestStateCodec<{ round: number }>({
  key: "a key of the test, which has 32 bytes or more",
});

const textOf = (value: unknown) => ({ content: [said(JSON.stringify(value))] });

function elicit(message: string, properties: object, required: string[]): InputRequest {
  return {
    method: "elicitation/create",
    params: { message, requestedSchema: { type: "object", properties, required } },
  } as InputRequest; // any schema
}

const sample = (text: string, maxTokens = 100): InputRequest => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: said(text) }], maxTokens },
});
const roots: InputRequest = { method: "roots/list", params: {} };
const name = elicit("What is your name?", { name: { type: "string" } }, ["name"]);
const confirm = elicit("Please confirm", { ok: { type: "boolean" } }, ["ok"]);

/** Asks until everything is answered. */
const asking = (
  requests: Record<string, InputRequest>,
  { hasState = false }: { hasState?: boolean } = {},
): StatelessTool => ({
  async run(_, context) {
    const { inputResponses = {}, requestState } = context.mcpReq;
    const isStateGood = !hasState || (await isSigned(requestState(), context));
    if (!isStateGood) throw invalidState();
    const isAnswered = Object.keys(requests).every((key) => key in inputResponses);
    if (isAnswered) return textOf(hasState ? "state-ok" : inputResponses);
    return ask(requests, context, hasState ? 1 : undefined);
  },
});

async function ask(
  requests: Record<string, InputRequest>,
  context: ServerContext,
  round?: number,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: requests,
    ...(round !== undefined && { requestState: await states.mint({ round }, context) }),
  });
}

async function isSigned(state: unknown, context: ServerContext): Promise<boolean> {
  if (state === undefined) return true;
  return states.verify(String(state), context).then(
    () => true,
    () => false,
  );
}

function invalidState(): Error {
  return Object.assign(new Error("The state was changed."), { code: -32_602 });
}

const STEPS = [
  { step1: elicit("Step 1: What is your name?", { name: { type: "string" } }, ["name"]) },
  {
    step2: elicit("Step 2: What is your color?", { color: { type: "string" } }, ["color"]),
  },
] as const;

const ASKING: Record<string, StatelessTool> = {
  test_input_required_result_elicitation: {
    run(_, context) {
      const answers = context.mcpReq.inputResponses;
      const named = acceptedContent(answers, "user_name", z.object({ name: z.string() }));
      return named ? textOf(`Hello, ${named.name}!`) : ask({ user_name: name }, context);
    },
  },
  test_input_required_result_sampling: asking({
    capital_question: sample("What is the capital of France?"),
  }),
  test_input_required_result_list_roots: asking({ client_roots: roots }),
  test_input_required_result_request_state: asking({ confirm }, { hasState: true }),
  test_input_required_result_tampered_state: asking({ confirm }, { hasState: true }),
  test_input_required_result_multiple_inputs: asking(
    { user_name: name, greeting: sample("Generate a greeting", 50), client_roots: roots },
    { hasState: true },
  ),
  test_input_required_result_multi_round: {
    async run(_, context) {
      const state = context.mcpReq.requestState<string>();
      if (state === undefined) return ask(STEPS[0], context, 1);
      const { round } = await states.verify(state, context);
      return round === 1 ? ask(STEPS[1], context, 2) : textOf("done");
    },
  },
  test_input_required_result_capabilities: {
    run(_, context) {
      const can = capabilitiesIn(context);
      return ask(
        {
          ...("elicitation" in can && { user_name: name }),
          ...("sampling" in can && { greeting: sample("Generate a greeting") }),
        },
        context,
      );
    },
  },
  test_streaming_elicitation: asking({ user_name: name }),
  test_missing_capability: {
    run(_, context) {
      if ("sampling" in capabilitiesIn(context)) return textOf("sampled");
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { sampling: {} },
      });
    },
  },
  test_logging_tool: {
    async run(_, context) {
      await context.mcpReq.log("info", "logged");
      return textOf("logged");
    },
  },
};

function capabilitiesIn({ mcpReq }: ServerContext): object {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined; // as it was sent
  return (envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {}) as object;
}

/** The tools of the older server that ask nothing, with the newer context. */
const PLAIN = Object.fromEntries(
  Object.keys(TOOLS)
    .filter((tool) => !/sampling|elicitation/.test(tool))
    .map((tool): [string, StatelessTool] => [
      tool,
      {
        ...(tool.startsWith("json_schema") && { inputSchema: SCHEMA_2020 }),
        run: (args, context) => runTool(tool, args, context),
      },
    ]),
);

const RESOURCES: Record<string, { mimeType: string; text?: string; blob?: string }> = {
  "test://static-text": {
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "watched" },
};
const WORDS = ["test", "testing", "other"];
const PROMPTS: Record<string, (args: Record<string, string>) => object[]> = {
  test_simple_prompt: () => [said("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    resource(resourceUri),
    said("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [image, said("Please analyze the image above.")],
  test_input_required_result_prompt: () => [said("With your context.")],
};
const ARGUMENTS: Record<string, string[]> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};
const context = elicit(
  "What context should the prompt use?",
  { context: { type: "string" } },
  ["context"],
);

function addContent(server: Server): void {
  server.setRequestHandler("resources/list", () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      mimeType,
    })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    const found = id ? { mimeType: "application/json", text } : RESOURCES[uri];
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found } as { uri: string; text: string }] }; // or a blob
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(PROMPTS).map((prompt) => ({
      name: prompt,
      description: prompt,
      arguments: (ARGUMENTS[prompt] ?? []).map((argument) => ({
        name: argument,
        required: true,
      })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params }, asked) => {
    const { name: prompt, arguments: args = {} } = params;
    const isAsking = prompt === "test_input_required_result_prompt";
    if (isAsking && !asked.mcpReq.inputResponses?.["user_context"])
      return ask({ user_context: context }, asked) as never; // of either type
    const contents = PROMPTS[prompt]?.(args) ?? [];
    return { messages: contents.map((content) => ({ role: "user", content })) } as never; // any content
  });
  server.setRequestHandler("completion/complete", ({ params: { argument } }) => ({
    completion: { values: WORDS.filter((word) => word.startsWith(argument.value)) },
  }));
}

/** @param speaksOlder whether it also serves clients of 2025-11-25 and before */
export async function startStatelessEverything(
  speaksOlder = false,
): Promise<StatelessServer> {
  const server = await startStatelessServer(
    { ...PLAIN, ...ASKING },
    {
      speaksOlder,
      capabilities: { resources: { subscribe: true }, prompts: {}, completions: {} },
      extend: addContent,
    },
  );
  let changes = 0;
  server.tools["test_trigger_tool_change"] = {
    run() {
      changes += 1;
      server.tools[`changed_${changes}`] = { run: () => textOf("changed") };
      server.toolsChanged();
      return textOf("changed");
    },
  };
  return server;
}
