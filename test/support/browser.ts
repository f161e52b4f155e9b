import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium } from "playwright-core";

/** Chromium's path. Browser tests run only if it is set. `scripts/chromium` prints it. */
export const CHROMIUM_PATH = process.env["CHROMIUM_PATH"];

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
    args: ["--no-sandbox"], // Chromium refuses its sandbox to root
    timeout: 120_000,
  });
}

/** A server that displayed content must not reach. */
export interface Canary extends AsyncDisposable {
  origin: string;
  /** The paths of all requests so far. */
  paths: string[];
}

export async function startCanary(): Promise<Canary> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    origin: `http://127.0.0.1:${port}`,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The effects of displayed content in all pages of a context. */
export interface Activity {
  /** Messages of dialogs opened by scripts. */
  dialogs: string[];
  /** Addresses of the sent requests, except those of the pages themselves. */
  requests: string[];
}

/**
 * Records the effects of content from now on. `isOwn` decides which addresses belong to the page.
 */
export function watchActivity(
  context: BrowserContext,
  isOwn: (url: string) => boolean,
): Activity {
  const activity: Activity = { dialogs: [], requests: [] };
  context.on("dialog", (dialog) => {
    activity.dialogs.push(dialog.message());
    dialog.dismiss().catch(() => {}); // the page may have gone
  });
  context.on("request", (request) => {
    if (!isOwn(request.url())) activity.requests.push(request.url());
  });
  return activity;
}
