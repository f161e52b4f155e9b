import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { Agent, fetch } from "undici";
import {
  chooseIsolation,
  type IsolationMode,
} from "../../../platform/isolation/choose-isolation.ts";
import {
  type Isolation,
  lackingGuarantees,
} from "../../../platform/isolation/isolation.ts";
import { BadGateway, BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { once as keepOnce } from "../../../platform/single-flight.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { Bridge, FAILURE } from "./bridge.ts";
import { startCommand } from "./command-process.ts";
import { type Command, commandIn } from "./settings.ts";

interface Options {
  commands: Readonly<Record<string, Command>>;
  /** `required`: a program that would see more than it should is not started. */
  mode: Extract<IsolationMode, "auto" | "required">;
  maxProcesses: number;
  log: Logger;
  isolation?: Isolation;
}

/** The programs that an operator offers as tool servers. */
export interface Commands extends AsyncDisposable {
  /** Reaches them alone, at the addresses of `addressOf`. */
  outgoing: Outgoing;
}

/** Reaches nothing where it is not given to this module's own dispatcher. */
const HOST = "http://command.invalid/";

/** The address at which a tool server is called. */
export function addressOf(url: string): string {
  const name = commandIn(url);
  return name === undefined ? url : HOST + encodeURIComponent(name);
}

/** Calls go over a socket of this process, which is opened when it is first needed. */
export function createCommands(options: Options): Commands {
  const { commands, mode, maxProcesses, log } = options;
  const folder = join(tmpdir(), `parlance-commands-${randomUUID()}`);
  const socketPath = join(folder, "socket");
  const isolation = keepOnce(async () => {
    if (options.isolation) return options.isolation;
    // what programs see is mounted over it, and may itself stand in the folder of temporary files
    const mountPoint = join(folder, "root");
    await mkdir(mountPoint, { recursive: true, mode: 0o700 });
    return chooseIsolation("auto", mountPoint);
  });
  const bridge = new Bridge({
    maxProcesses,
    log,
    find: (name) => {
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (!command) return undefined;
      return async (onMessage) =>
        startCommand({ command, onMessage, isolation: isolated(await isolation(), mode) });
    },
  });
  const listening = keepOnce(async () => {
    const server = createServer((request, response) => {
      bridge.handle(request, response).catch((error: unknown) => {
        log.error({ err: error }, "a message to the command of a tool server failed");
        response.destroy();
      });
    });
    // answers take as long as tools do, which the gateway limits
    server.requestTimeout = 0;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await once(server.listen(socketPath), "listening");
    return server;
  });
  const dispatcher = new Agent({
    bodyTimeout: 0,
    headersTimeout: 0,
    connect: { socketPath },
  });
  let server: Server | undefined;
  const outgoing: Outgoing = {
    dispatcher,
    check(url) {
      checkOffered(commands, decodeURIComponent(url.slice(HOST.length)));
    },
    async fetch(input, init) {
      outgoing.check(String(input));
      // each session begins here
      server = await listening();
      // undici's types differ from Node's only in name
      const response = (await fetch(String(input), {
        ...(init as object),
        dispatcher,
      })) as unknown as Response;
      const failure = response.headers.get(FAILURE);
      if (failure !== null) throw notRunning(decodeURIComponent(failure));
      return response;
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
    },
  };
  return {
    outgoing,
    async [Symbol.asyncDispose]() {
      await bridge[Symbol.asyncDispose]();
      await outgoing[Symbol.asyncDispose]();
      server?.closeAllConnections();
      server?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @throws BadRequest `tool_command_unknown`. */
function checkOffered(commands: Readonly<Record<string, Command>>, name: string): void {
  if (Object.hasOwn(commands, name)) return;
  const offered = Object.keys(commands).join(", ") || "none";
  throw new BadRequest(
    "tool_command_unknown",
    `The operator offers no command "${name}". Choose one of MCP_COMMANDS: ${offered}.`,
    { params: { name, offered } },
  );
}

/** @throws Error where the program would see what is not its business. */
function isolated(isolation: Isolation, mode: Options["mode"]): Isolation {
  const lacking = lackingGuarantees(isolation);
  if (mode === "auto" || lacking.length === 0) return isolation;
  throw new Error(
    "it cannot be isolated here; install bubblewrap, allow unprivileged user namespaces, or set " +
      "MCP_COMMANDS_ISOLATION=auto",
  );
}

function notRunning(why: string): BadGateway {
  return new BadGateway(
    "tool_command_failed",
    `Its command does not run: ${why}. What it wrote is in the log of the server.`,
    { params: { why } },
  );
}
