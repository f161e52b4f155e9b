import type { Rule } from "../src/services/automations/contract.ts";
import { originMatches, parseOrigin } from "../src/services/automations/patterns.ts";
import { RuleIndex } from "../src/services/automations/rule-index.ts";
import { median } from "./measure.ts";

const SIZES = [100, 10_000, 100_000];
const EVENTS = 400;

/**
 * Measures how long it takes to find the matching rules of a medium among many, against comparing
 * each rule's pattern.
 */
export function ruleMatching(): Record<string, Record<string, number>> {
  const linear: Record<string, number> = {};
  const indexed: Record<string, number> = {};
  for (const size of SIZES) {
    const rules = Array.from({ length: size }, (_, id) => ruleNumber(id));
    const patterns = rules.map(({ origin }) => parseOrigin(origin));
    const index = new RuleIndex(rules);
    const media = Array.from({ length: EVENTS }, (_, n) => ({
      type: "application/pdf",
      origin: originNumber(n, (n * 7919) % size),
      tags: [],
      metadata: {},
    }));
    const timed = (
      work: (event: (typeof media)[number]) => unknown,
      events: typeof media,
    ) =>
      median(
        events.map((event) => {
          const startedAt = performance.now();
          work(event);
          return performance.now() - startedAt;
        }),
      );
    const figure = `ms a medium, ${size} rules`;
    linear[figure] = timed(
      (event) => patterns.filter((pattern) => originMatches(pattern, event.origin)),
      media.slice(0, 20),
    );
    indexed[figure] = timed((event) => index.matches(event), media);
  }
  return { "every pattern": linear, "rule matching": indexed };
}

/** By folders, and by prefixes and suffixes of the client's names. */
function originNumber(n: number, id: number): string {
  return (
    [
      `client/${id}/inbox/file.pdf`,
      `uploads/client-${id}-scan.pdf`,
      `uploads/scan-${id}.pdf`,
    ][n % 3] ?? ""
  );
}

/**
 * Typical patterns: folders, one level, suffixes, exact and deep paths, prefixes and suffixes of
 * names.
 */
function ruleNumber(id: number): Rule {
  const origins = [
    `client/${id}/**`,
    `client/${id}/*`,
    `client/${id}/inbox/*.pdf`,
    `client/${id}/inbox/file.pdf`,
    `**/area-${id}/**`,
    `uploads/client-${id}-*`,
    `uploads/*-${id}.pdf`,
  ];
  const origin = origins[id % origins.length] ?? "*";
  const type =
    id % 3 === 0 ? "application/pdf" : id % 3 === 1 ? "application/*" : "audio/*";
  return {
    id,
    name: `rule ${id}`,
    type,
    origin,
    agents: [],
    is_active: true,
    client_id: "c",
    scope: "client",
    user_id: "u",
    created_at: "",
    last_update: "",
  };
}
