import { z } from "zod";
import { BadGateway, NotFound } from "../../../platform/http/errors.ts";
import type { Gateway } from "../gateway.ts";
import type { PermittedTools } from "../permitted-tools.ts";
import { RemoteError } from "../remote-error.ts";
import type { RemoteTool } from "../read-tools.ts";
import { viewMetaOf } from "./view-meta.ts";

interface ViewRequest {
  server: string;
  uri: string;
  /** The tool that was called. */
  tool?: string | undefined;
  userId: string;
}

const MAX_HTML_CHARACTERS = 3_000_000;
const TIMEOUT_MS = 20_000;
/** Of each kind. */
const MAX_ORIGINS = 50;
const IS_VIEW = /^text\/html;profile="?mcp-app"?$/i;
/** Nothing that ends a directive of a policy. */
const ORIGIN =
  /^(?:https|wss):\/\/(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}(?::\d{1,5})?$/i;

const Origins = z.array(z.unknown()).max(1_000).optional().catch(undefined);
const Csp = z.object({ connectDomains: Origins, resourceDomains: Origins });
const Contents = z.object({
  contents: z
    .array(
      z.looseObject({
        mimeType: z.string().max(200).optional().catch(undefined),
        text: z.string().optional().catch(undefined),
        blob: z.string().optional().catch(undefined),
        _meta: z
          .object({ ui: z.object({ csp: Csp }).partial().catch({}) })
          .partial()
          .optional()
          .catch(undefined),
      }),
    )
    .min(1)
    .max(100),
});

/**
 * The page in which a tool shows its results, read with the account of its user.
 * @throws NotFound `view_not_found` for a view that no tool of the user names, BadGateway
 * `view_invalid`, and what `Session.ask` throws.
 */
export async function readView(
  gateway: Gateway,
  tools: PermittedTools,
  { server, uri, tool: named, userId }: ViewRequest,
  signal: AbortSignal,
): Promise<{ html: string; policy: string; tool?: Record<string, unknown> }> {
  const naming = gateway
    .entries()
    .filter(({ listed, tool }) => listed.server === server && viewMetaOf(tool).uri === uri);
  const permitted = await tools.filter(naming.map(({ listed }) => listed));
  const session = gateway.session(server);
  if (permitted.length === 0 || !session) throw notFound();
  const asked = { method: "resources/read", params: { uri } };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await session
    .ask(asked, { userId, signal: limited })
    .catch((error: unknown) => {
      throw error instanceof RemoteError ? invalid(server) : error;
    });
  const [content] = Contents.safeParse(answer).data?.contents ?? [];
  const html =
    content && IS_VIEW.test(content.mimeType?.replaceAll(" ", "") ?? "")
      ? (content.text ?? Buffer.from(content.blob ?? "", "base64").toString())
      : "";
  if (html === "" || html.length > MAX_HTML_CHARACTERS) throw invalid(server);
  const called = naming.find(
    ({ listed }) => listed.name === named && permitted.includes(listed),
  )?.tool;
  const policy = policyOf(content?._meta?.ui?.csp);
  return called ? { html, policy, tool: toView(called) } : { html, policy };
}

/** A tool as its server describes it. */
function toView({ name, title, description, inputSchema, outputSchema }: RemoteTool) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== "" && { description }),
    // the protocol wants it of every tool, and not every server knows
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema && { outputSchema }),
  };
}

/** What the page may load. The policy of the frame allows no more than the operator does. */
function policyOf(csp: z.output<typeof Csp> | undefined): string {
  const sources = (origins: unknown[] | undefined) =>
    (origins ?? [])
      .filter((one) => typeof one === "string" && ORIGIN.test(one))
      .slice(0, MAX_ORIGINS)
      .join(" ");
  const files = sources(csp?.resourceDomains);
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${files}`,
    `style-src 'unsafe-inline' ${files}`,
    `img-src data: blob: ${files}`,
    `font-src data: ${files}`,
    `media-src data: blob: ${files}`,
    `connect-src ${sources(csp?.connectDomains) || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
    .map((directive) => directive.trim())
    .join("; ");
}

function notFound(): NotFound {
  return new NotFound(
    "view_not_found",
    "No tool that you may use shows its results in this view. Call the tool again.",
  );
}

function invalid(name: string): BadGateway {
  return new BadGateway(
    "view_invalid",
    `"${name}" does not answer with a page of at most 3 MB for this view. Ask its operator.`,
    { params: { name } },
  );
}
