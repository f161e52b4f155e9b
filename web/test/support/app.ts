import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "../../../test/support/scripted-provider.ts";
import { startServerApart } from "../../../test/support/server-apart.ts";
import { ADMIN, type TestServer, startTestServer } from "../../../test/support/server.ts";

/** Whether the walks meet thirteen services behind nginx instead of one process. */
const IS_APART = process.env["WALKS_APART"] === "1";
const ROOT = join(import.meta.dirname, "../../..");
export const DESKTOP = { width: 1400, height: 850 };
export const PHONE = { width: 390, height: 800 };

/** A server with the built app, a provider whose answers a test writes, and a browser. */
export interface App extends AsyncDisposable {
  server: TestServer;
  provider: ScriptedProvider;
  browser: Browser;
  /** A page of a browser of its own, where nobody is signed in. */
  open(options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
  /** The same, signed in as the administrator. */
  openSignedIn(options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
  /** What pages complained about: scripts that failed, and violations of the page's policy. */
  problems: string[];
}

interface StartOptions {
  /** Default true. Without a model the built-in offline one answers. */
  withModel?: boolean;
  env?: Record<string, string>;
}

export async function startApp({
  withModel = true,
  env = {},
}: StartOptions = {}): Promise<App> {
  const provider = await startScriptedProvider();
  const model = {
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
  };
  const start = IS_APART ? startServerApart : startTestServer;
  const server = await start({ ...(withModel && model), ...env });
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  const open: App["open"] = async (options) => {
    const context = await browser.newContext({
      viewport: DESKTOP,
      baseURL: server.url,
      locale: "en-GB",
      ...options,
    });
    contexts.push(context);
    context.setDefaultTimeout(90_000); // the machine may be busy
    const page = await context.newPage();
    watch(page, problems);
    return page;
  };
  return {
    server,
    provider,
    browser,
    open,
    problems,
    async openSignedIn(options) {
      const page = await open(options);
      await signInByCookie(page.context(), server);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(contexts.map((context) => context.close()));
      await server[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

let shared: Promise<Browser> | undefined;

/**
 * One browser for all walks of a process, which ends with it: contexts share nothing. A start takes
 * as much of the processor as three pages.
 */
async function sharedBrowser(): Promise<Browser> {
  const open = await shared?.catch(() => undefined);
  if (open?.isConnected()) return open;
  shared = chromium.launch({
    executablePath: chromiumPath(),
    // Chromium refuses its sandbox to root
    args: [
      "--no-sandbox",
      ...(process.env["CHROMIUM_ARGS"] ?? "").split(" ").filter(Boolean),
    ],
    timeout: 120_000,
  });
  return shared;
}

/** Answers titles by itself, and the rest with these pieces of text. */
export function answerWith(provider: ScriptedProvider, text: string[], delayMs = 0): void {
  provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["A title"] }
      : { text, delayMs },
  );
}

async function signInByCookie(context: BrowserContext, { url }: TestServer): Promise<void> {
  const answer = await context.request.post(`${url}/api/v1/auth/session`, {
    data: ADMIN,
    headers: { "x-parlance": "1", origin: url },
  });
  if (!answer.ok()) throw new Error(`signing in failed: ${await answer.text()}`);
}

function watch(page: Page, problems: string[]): void {
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // a request that is refused is an answer of the server, not a fault of the page
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isAnswer) problems.push(message.text());
  });
}

function chromiumPath(): string {
  const printed = execFileSync(join(ROOT, "scripts/chromium"), { encoding: "utf8" });
  return printed.trim();
}
