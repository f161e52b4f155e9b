import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { openOutgoing } from "../src/platform/outgoing/open-outgoing.ts";
import { createWorkers } from "../src/platform/workers/workers.ts";
import { readPage } from "../src/services/web/read-page.ts";
import { interleaved } from "./measure.ts";
import type { Stage } from "./server.ts";

const READS = 20;
const PAGE = aPage();
/** Pages are kept for an hour; here each is read. */
const NO_CACHE = { get: async () => null, set: async () => {} };

/**
 * Measures a page of the web that is read as models get it, with the guard of outgoing calls and in
 * an isolated process, against `fetch` and Readability in this process, which give HTML.
 */
export async function webPages(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const outgoing = openOutgoing({ allow: [`127.0.0.1:${port}`], own: () => [] });
  const workers = createWorkers({ size: 1 });
  const { signal } = new AbortController();
  const measured = (read: (address: string) => Promise<number>) => async () => {
    const begun = performance.now();
    for (let n = 0; n < READS; n += 1)
      if ((await read(`${url}${n}`)) < PAGE.length / 3) throw new Error("text is missing");
    return { "ms a page": (performance.now() - begun) / READS };
  };
  try {
    return await interleaved(
      [
        {
          name: "fetch and Readability",
          run: measured(async (address) => {
            const { document } = parseHTML(await (await fetch(address)).text());
            return new Readability(document).parse()?.content?.length ?? 0;
          }),
        },
        {
          name: "a page as a source",
          run: measured(async (address) => {
            const deps = { outgoing, workers, cache: NO_CACHE };
            return (await readPage(deps, { url: address }, signal)).markdown.length;
          }),
        },
      ],
      stage.rounds,
    );
  } finally {
    await workers[Symbol.asyncDispose]();
    await outgoing[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
  }
}

/** An article of 100 paragraphs with what surrounds articles. */
function aPage(): string {
  const sentence =
    "The committee published its report on tidal power, and ports asked for more. ";
  const links = Array.from(
    { length: 60 },
    (_, n) => `<li class="item"><a href="/section/${n}">Section number ${n}</a></li>`,
  ).join("\n");
  const paragraphs = Array.from(
    { length: 100 },
    (_, n) =>
      `${n % 10 === 0 ? `<h2 id="part-${n}">Part ${n / 10 + 1}</h2>` : ""}<p>${sentence.repeat(6)}` +
      `<a href="/more/${n}">More on <em>this</em></a>, as <b>others</b> said.</p>`,
  ).join("\n");
  return `<!doctype html><html lang="en"><head><title>Tidal power</title>
<style>${".item { color: red; margin: 0 }\n".repeat(100)}</style>
<script>${"var tracked = (window.tracked || 0) + 1;\n".repeat(200)}</script></head>
<body><header><nav><ul>${links}</ul></nav></header>
<main><article><h1>Tidal power</h1>${paragraphs}
<table><tr><th>Port</th><th>MW</th></tr>${"<tr><td>Avon</td><td>120</td></tr>".repeat(40)}</table>
</article></main><aside><ul>${links}</ul></aside><footer>Imprint</footer></body></html>`;
}
