import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "./free-port.ts";

/**
 * A folder with Debian's nginx and haproxy, as printed by `scripts/services up`; `/` for those of
 * this machine. Requires root.
 */
const root = process.env["PROXY_ROOT"] ?? "";
export const proxiesAreThere =
  root !== "" &&
  ["nginx", "haproxy"].every((name) => existsSync(join(root, "usr/sbin", name)));

export interface Proxy extends AsyncDisposable {
  url: string;
}

interface Configuration {
  program: string;
  file: string;
  args: string[];
}

/** Common proxy configurations. `port`: the proxy's; `to`: the server's. */
const CONFIGURATIONS = {
  "nginx, minimal": nginx(""),
  "nginx with HTTP/1.1": nginx("proxy_http_version 1.1;"),
  "nginx with headers": nginx(
    "proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_http_version 1.1;",
  ),
  "haproxy, minimal": haproxy(""),
  "haproxy that sends localhost as the host": haproxy(
    "http-request set-header Host localhost",
  ),
  "haproxy with forwardfor": haproxy("option forwardfor"),
} satisfies Record<string, (port: number, to: number, folder: string) => Configuration>;

export type ProxyKind = keyof typeof CONFIGURATIONS;
export const proxyKinds = Object.keys(CONFIGURATIONS) as ProxyKind[]; // an object of ours has the keys that it has

/** Starts a real proxy in front of a port of this machine. */
export async function startProxy(kind: ProxyKind, to: number): Promise<Proxy> {
  return start(await freePort(), (port, folder) => CONFIGURATIONS[kind](port, to, folder));
}

/** Starts a real nginx with the given directives for its one server. */
export function startNginx(port: number, directives: string): Promise<Proxy> {
  return start(port, (listening, folder) => nginxServing(directives, listening, folder));
}

async function start(
  port: number,
  configure: (port: number, folder: string) => Configuration,
): Promise<Proxy> {
  const folder = await mkdtemp(join(root, "tmp/parlance-proxy-"));
  const inside = `/${folder.slice(root.length).replace(/^\/+/, "")}`;
  const { program, file, args } = configure(port, inside);
  await writeFile(join(folder, "proxy.conf"), file);
  const child = spawn(
    "chroot",
    [root, `/usr/sbin/${program}`, ...args, `${inside}/proxy.conf`],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await vi.waitFor(() => listens(port, child, () => said), 90_000);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await gone;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function nginx(more: string) {
  return (port: number, to: number, folder: string) =>
    nginxServing(`location / { proxy_pass http://127.0.0.1:${to}; ${more} }`, port, folder);
}

function nginxServing(directives: string, port: number, folder: string): Configuration {
  return {
    program: "nginx",
    args: ["-p", folder, "-e", "stderr", "-c"],
    file: `daemon off; pid ${folder}/pid; events {}
      http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
        uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
        server { listen 127.0.0.1:${port}; ${directives} } }\n`,
  };
}

function haproxy(more: string) {
  return (port: number, to: number) => ({
    program: "haproxy",
    args: ["-db", "-f"],
    file: `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen proxy
  ${more}
  bind 127.0.0.1:${port}
  server parlance 127.0.0.1:${to}\n`,
  });
}

async function listens(
  port: number,
  child: ChildProcess,
  said: () => string,
): Promise<void> {
  if (child.exitCode !== null) throw new Error(`the proxy ended: ${said()}`);
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve();
    });
    socket.on("error", reject);
  });
}
