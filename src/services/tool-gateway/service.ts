import { z } from "zod";
import { duration, list, maximum } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { Degraded } from "../../platform/telemetry/health.ts";
import { createCancellations } from "./cancel-calls.ts";
import { createCommands } from "./commands/commands.ts";
import { commandIn, Commands } from "./commands/settings.ts";
import { createClientAnswers } from "./client-answers.ts";
import { toolGatewayContract, type ToolServer, ToolServers } from "./contract.ts";
import { coalesce } from "../../platform/single-flight.ts";
import { Gateway } from "./gateway.ts";
import { measureToolCalls } from "./measure-tool-calls.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import { createMcpSubscriptions } from "./mcp-subscriptions.ts";
import { createStateSeal } from "./request-state.ts";
import { toolGatewayRoutes } from "./routes.ts";
import { openSession } from "./session.ts";
import { ServerSignIn } from "./sign-in/credential.ts";
import { ownAddresses } from "./sign-in/find-client.ts";
import { emailCheck, listerCheck } from "./sign-in/may-list.ts";
import { addressesIn, type Reach } from "./sign-in/reach.ts";
import { createSignInStore } from "./sign-in/store.ts";
import { forgetUser } from "./user-deletion.ts";
import { createUserValues } from "./user-values/store.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { readFile } from "node:fs/promises";
import { call, type Fetch } from "../../platform/http/call.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { coreServicesConfig } from "../core/contract.ts";

/** The start waits no longer for tool servers. Those that answer later are listed then. */
const START_WAIT_MS = 2_000;

/** An administrator approved or classified a tool, on some replica. */
const DECISIONS_CHANGED = "tool-decisions-changed";
/** The account changed by which the tools of a server are read. */
const SIGNED_IN = "tool-signed-in";

export default defineService({
  name: "tool-gateway",
  port: 8000,
  contract: toolGatewayContract,
  config: z.object({
    MCP_SERVERS_FILE: z
      .string()
      .optional()
      .describe(
        "A JSON array of tool servers [{name, url, headers?}], for development; without it they come from the core",
      ),
    MCP_SERVERS_POLL: duration()
      .default(15_000)
      .describe("How often the configuration is read again, in ms"),
    MCP_TOOL_TIMEOUT: duration()
      .default(55_000)
      .describe("How long a tool may take, in ms"),
    MCP_SERVER_REFRESH: duration()
      .default(60_000)
      .describe("How often a ready tool server is asked for its tools again, in ms"),
    MCP_SERVER_CONCURRENCY: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, "must be a whole number from 1 to 9999")
      .transform(Number)
      .default(100)
      .describe("Calls to one tool server at once; more wait in line"),
    MCP_ALLOWED_HOSTS: list()
      .default([])
      .describe(
        "Host names, beside that of PUBLIC_URL, by which MCP clients reach /mcp, comma-separated",
      ),
    MCP_COMMANDS: Commands.optional().describe(
      'Programs that speak the tool protocol on standard input and output, as JSON {"<name>": {command, args?, env?, read?, write?, network?, memoryMb?}}; administrators register one as stdio:<name>',
    ),
    MCP_COMMANDS_ISOLATION: z
      .enum(["required", "auto"])
      .default("required")
      .describe(
        "Of these programs; auto starts them also where the system cannot hide files and processes from them",
      ),
    MCP_COMMAND_PROCESSES: maximum(32, 1_000).describe(
      "Processes of these programs at once; beyond it the one unused for longest ends",
    ),
    MCP_SESSION_IDLE: duration()
      .default(900_000)
      .describe(
        "A session without calls for this long is closed until it is needed, in ms",
      ),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  encrypts: true,
  queue: true,
  uses: ["users"],
  needs: ({ MCP_SERVERS_FILE }) => (MCP_SERVERS_FILE ? [] : ["core"]),
  async create({
    config,
    db,
    leases,
    cache,
    guard,
    log,
    metrics,
    endpoints,
    peer,
    hasPeer,
    publicUrl,
    allowedOrigins,
    secrets,
    workers,
  }) {
    const source = config.MCP_SERVERS_FILE
      ? { file: config.MCP_SERVERS_FILE }
      : { core: peer("core") };
    const commands = createCommands({
      commands: config.MCP_COMMANDS ?? {},
      mode: config.MCP_COMMANDS_ISOLATION,
      maxProcesses: config.MCP_COMMAND_PROCESSES,
      log,
    });
    const outgoingOf = (url: string) =>
      commandIn(url) === undefined ? endpoints : commands.outgoing;
    const options = {
      log,
      callTimeoutMs: config.MCP_TOOL_TIMEOUT,
      idleMs: config.MCP_SESSION_IDLE,
      concurrency: config.MCP_SERVER_CONCURRENCY,
    };
    const store = createSignInStore(db, secrets.ENCRYPTION_KEY);
    const reach: Reach = (named) => endpoints.only(addressesIn(named));
    const mayList = hasPeer("users") ? listerCheck(peer("users"), guard) : async () => true;
    const emailOf = hasPeer("users") ? emailCheck(peer("users")) : async () => undefined;
    const values = createUserValues(db, secrets.ENCRYPTION_KEY);
    const signIns = { store, reach, leases, publicUrl, mayList, values, emailOf };
    const gateway = new Gateway({
      db,
      log,
      workers,
      calls: measureToolCalls(metrics),
      announce: () => cache.publish(DECISIONS_CHANGED, ""),
      open: (server, changed) => {
        const signIn = new ServerSignIn(server, signIns);
        const outgoing = outgoingOf(server.url);
        return openSession({ server, signIn, changed, outgoing, ...options });
      },
    });
    const reload = coalesce(async () => gateway.configure(await readServers(source)));
    const cancellations = await createCancellations(cache);
    const answers = await createClientAnswers(cache);
    const decisions = await cache.subscribe(
      DECISIONS_CHANGED,
      () => void gateway.rebuild(),
    );
    const signedIn = await cache.subscribe(
      SIGNED_IN,
      (name) => void gateway.signedIn(name),
    );
    const { origin, hostname } = new URL(publicUrl);
    const mcp = createMcpEndpoint({
      gateway,
      cancellations,
      answers,
      subscriptions: createMcpSubscriptions(cache),
      states: createStateSeal(secrets.SERVICE_SECRET),
      origins: [origin, ...allowedOrigins],
      hosts: [hostname, ...config.MCP_ALLOWED_HOSTS],
    });
    return {
      routes: toolGatewayRoutes({
        db,
        gateway,
        mcp,
        guard,
        reload,
        tests: { outgoingOf, log },
        connections: {
          gateway,
          store,
          values,
          reach,
          cache,
          log,
          leases,
          own: ownAddresses(publicUrl),
          announce: (name) => cache.publish(SIGNED_IN, name),
        },
      }),
      checks: { "tool servers": async () => checkReachable(gateway) },
      consumers: hasPeer("users")
        ? [
            confirmedConsumer({
              ...deletionsFor("tool-gateway", () => peer("users")),
              handle: (deletion) => forgetUser(db, deletion),
            }),
          ]
        : [],
      jobs: [
        {
          name: "read-tool-servers",
          intervalMs: config.MCP_SERVERS_POLL,
          replicas: "each",
          // a wrong configuration file stops the start; a core that is not up yet does not
          atStart:
            "file" in source ? { waitMs: START_WAIT_MS, required: true } : { waitMs: 0 },
          onFailure:
            "the last tool servers that were read stay. " +
            "Check MCP_SERVERS_FILE, or that the core service is reachable.",
          run: reload,
        },
        {
          name: "maintain-server-sessions",
          intervalMs: Math.min(config.MCP_SESSION_IDLE, config.MCP_SERVER_REFRESH),
          replicas: "each",
          onFailure:
            "changed tools are listed, and unused sessions ended, at the next run. " +
            "Check the tool servers.",
          run: async () => gateway.maintain(),
        },
      ],
      async close() {
        await mcp[Symbol.asyncDispose]();
        await answers[Symbol.asyncDispose]();
        await cancellations[Symbol.asyncDispose]();
        await decisions[Symbol.asyncDispose]();
        await signedIn[Symbol.asyncDispose]();
        await gateway[Symbol.asyncDispose]();
        await commands[Symbol.asyncDispose]();
      },
    };
  },
});

function checkReachable(gateway: Gateway): void {
  const down = gateway.sessions().filter(({ state }) => state === "down");
  if (down.length === 0) return;
  const names = down.map(({ server }) => server.name).join(", ");
  throw new Degraded({
    code: "tool_servers_down",
    message: `cannot be reached: ${names}`,
    params: { names },
  });
}

const TIMEOUT_MS = 5_000;

/** The registered tool servers: from the core, or from a file for development. */
async function readServers(
  source: { file: string } | { core: Fetch },
): Promise<readonly ToolServer[]> {
  if ("core" in source) {
    const { mcpServers } = coreServicesConfig;
    const servers = await call(source.core, mcpServers, {}, { timeoutMs: TIMEOUT_MS });
    return ToolServers.parse(servers); // a caller without the secret gets no values of headers
  }
  const parsed = ToolServers.safeParse(await readJsonFile(source.file));
  if (parsed.success) return parsed.data.map((entry) => ({ trusted: true, ...entry }));
  const [issue] = parsed.error.issues;
  const at = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw invalidFile(source.file, `${at}${issue?.message}`);
}

async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw invalidFile(file, "it cannot be read", error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidFile(file, "it is not JSON", error);
  }
}

function invalidFile(file: string, problem: string, cause?: unknown): BadRequest {
  return new BadRequest(
    "tool_servers_invalid",
    `MCP_SERVERS_FILE ${file}: ${problem}. Correct the file.`,
    { cause },
  );
}
