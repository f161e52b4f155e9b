import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build, type Plugin } from "vite";

const WEB = join(import.meta.dirname, "../../..");
const TEXTS = "dictionaries[useLanguage()]";

/** Builds the app with every text in the pseudo-language, into a folder of its own. */
export async function buildPseudo(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-pseudo-"));
  await build({
    configFile: join(WEB, "vite.config.ts"),
    logLevel: "warn",
    plugins: [pseudoTexts],
    build: { outDir: relative(WEB, folder), emptyOutDir: true, minify: false },
  });
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Lets the hook of every area's texts return the English ones in the pseudo-language. */
const pseudoTexts: Plugin = {
  name: "pseudo-texts",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/web/src/texts/language.ts")) return undefined;
    if (!code.includes(TEXTS)) throw new Error(`${id} reads its texts in another way`);
    const path = JSON.stringify(join(import.meta.dirname, "pseudo-text.ts"));
    const changed = code.replace(TEXTS, "(useLanguage(), toPseudo(dictionaries.en))");
    return `import { toPseudo } from ${path};\n${changed}`;
  },
};
