import type { StoredFailure } from "../http/reported-error.ts";
import { type Guarantee, type Isolation, lackingGuarantees } from "./isolation.ts";

const HELD: Record<Guarantee, string> = {
  files: "see no files but the program's",
  network: "have no network",
  processes: "cannot signal or inspect other processes",
  user: "run as a user of their own",
};

const LACKING: Record<Guarantee, string> = {
  files: "hiding files",
  network: "cutting off the network",
  processes: "keeping them from signalling others",
  user: "a user of their own",
};

const ADVICE =
  "Install bubblewrap, or allow unprivileged user namespaces; docs/parser.md says how.";

/** The same for the state of a part. */
export function toDetail(isolation: Isolation): StoredFailure {
  const { kind } = isolation;
  const message = describeIsolation(isolation);
  return lackingGuarantees(isolation).length === 0
    ? { code: "isolation_whole", message, params: { kind } }
    : { code: "isolation_partial", message, params: { kind } };
}

/** Describes the isolation of the processes that read files, in a sentence or two. */
export function describeIsolation(isolation: Isolation): string {
  const held = isolation.holds.map((guarantee) => HELD[guarantee]);
  const holds = [...held, "write no file and start no program (Node's permission model)"];
  const lacking = lackingGuarantees(isolation).map((guarantee) => LACKING[guarantee]);
  const sentence = `Processes that read files (isolation: ${isolation.kind}) ${join(holds)}.`;
  if (lacking.length === 0) return sentence;
  return `${sentence} Not available here: ${join(lacking)}. ${ADVICE}`;
}

function join(parts: readonly string[]): string {
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
