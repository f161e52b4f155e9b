import { createHash } from "node:crypto";
import { escapeMarkup } from "../platform/escape-markup.ts";
import type { AnyRoute, Contract } from "../platform/http/route.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  h2 { margin-top: 3rem; border-bottom: 1px solid #8886 }
  summary { cursor: pointer; padding: .4rem 0 }
  code, pre { font: 14px/1.5 ui-monospace, monospace }
  pre { overflow: auto; padding: 1rem; background: #8881; border-radius: .5rem }
  .method { display: inline-block; width: 4.5rem; font-weight: 600 }
  .access { opacity: .7; font-size: 14px }
`;

/**
 * The API as an HTML page without scripts or external resources.
 * @param document the OpenAPI document of the same services.
 */
export function docsPage(
  services: readonly { name: string; contract: Contract }[],
  version: string,
  document: object,
): { body: string; headers: Record<string, string> } {
  const { paths, components } = document as {
    paths: Record<string, Record<string, object>>;
    components: { schemas: Record<string, object> };
  };
  const sections = services.map(({ name, contract }) =>
    section(
      name,
      Object.values(contract).filter(({ hidden }) => !hidden),
      paths,
    ),
  );
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Parlance API</title><style>${STYLE}</style>
<h1>Parlance API</h1><p>Version ${escapeMarkup(version)}. The same API as <a href="/openapi.json">OpenAPI 3.1</a>.
Sign in at <code>POST /api/v1/auth/login</code> and send the token as <code>Authorization: Bearer …</code>.</p>
<nav>${services.map(({ name }) => `<a href="#${escapeMarkup(name)}">${escapeMarkup(name)}</a>`).join(" · ")} · <a href="#schemas">schemas</a></nav>
${sections.join("\n")}
${schemasSection(components.schemas)}</html>`;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return {
    body: html,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  };
}

function section(
  name: string,
  routes: AnyRoute[],
  paths: Record<string, Record<string, object>>,
): string {
  const rows = routes.map((route) => {
    const access =
      typeof route.access === "string" ? route.access : route.access.join(" or ");
    const detail = paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method];
    return `<details><summary><code><span class="method">${route.method.toUpperCase()}</span>${escapeMarkup(route.path)}</code> ${escapeMarkup(route.summary)}
<span class="access">${escapeMarkup(access)}</span></summary><pre>${withLinks(detail)}</pre></details>`;
  });
  return `<h2 id="${escapeMarkup(name)}">${escapeMarkup(name)}</h2>${rows.join("\n")}`;
}

/** What routes refer to. A browser opens the one to which a link leads. */
function schemasSection(schemas: Record<string, object>): string {
  const rows = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details><summary><code>${escapeMarkup(name)}</code></summary><pre id="schema-${escapeMarkup(name)}">${withLinks(schema)}</pre></details>`,
  );
  return `<h2 id="schemas">schemas</h2>${rows.join("\n")}`;
}

function withLinks(part: object | undefined): string {
  return escapeMarkup(JSON.stringify(part ?? {}, null, 2)).replace(
    /#\/components\/schemas\/([\w.-]+)/g,
    (whole, name: string) => `<a href="#schema-${name}">${whole}</a>`,
  );
}
