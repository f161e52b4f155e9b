import { z } from "zod";
import { brave } from "./engines/brave.ts";
import type { Engine } from "./engines/engine.ts";
import { exa } from "./engines/exa.ts";
import { googlePse } from "./engines/google-pse.ts";
import { kagi } from "./engines/kagi.ts";
import { mojeek } from "./engines/mojeek.ts";
import { searxng } from "./engines/searxng.ts";
import { serper } from "./engines/serper.ts";
import { tavily } from "./engines/tavily.ts";

/**
 * Every kind of search engine. A new one is a file in `engines/` and a line here. Those of the
 * environment are asked in this order.
 */
export const ENGINES: readonly Engine[] = [
  searxng,
  brave,
  tavily,
  exa,
  serper,
  googlePse,
  kagi,
  mojeek,
];

export const EngineKind = z.enum(ENGINES.map(({ kind }) => kind));

/** @param kind one of `EngineKind`. */
export function engineOf(kind: string): Engine {
  const engine = ENGINES.find((one) => one.kind === kind);
  if (!engine) throw new Error(`there is no search engine "${kind}"`);
  return engine;
}

/** The fields of a kind's configuration that are keys. */
export function secretFieldsOf(kind: string): string[] {
  const { shape } = engineOf(kind).config;
  return Object.keys(shape).filter((name) => shape[name]?.meta()?.["secret"] === true);
}
