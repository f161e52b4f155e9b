import type { StoredFailure } from "../http/reported-error.ts";

/**
 * What the operating system guarantees about a process that reads an untrusted file.
 * `files`: it sees the files it is given and no others. `network`: it reaches no address.
 * `processes`: it cannot signal, trace or inspect another process. `user`: it has a user id that
 * owns nothing.
 */
export type Guarantee = "files" | "network" | "processes" | "user";

export interface Command {
  file: string;
  args: readonly string[];
  /** Files and folders that it may read. */
  readable: readonly string[];
  /** A folder in memory that it may write. Only isolations that hide files give one. */
  space?: Space;
  /** A folder that it may write and that this process sees too. */
  shared?: string | undefined;
  /** For a program that others wrote: what such programs expect of a system. */
  system?: SystemParts | undefined;
}

/** It also gets `/proc` of its own processes, and `/dev/null` and its kind. */
export interface SystemParts {
  /** Further folders that it may write. */
  writable: readonly string[];
  /** Whether it reaches the network as this process does. */
  network: boolean;
}

export interface Space {
  path: string;
  bytes: number;
}

/** A way to start a process with fewer rights than this one has. */
export interface Isolation {
  kind: "bubblewrap" | "namespaces" | "own-user" | "none";
  holds: readonly Guarantee[];
  /** The kernel ends the process when this one ends. */
  endsWithServer: boolean;
  /** The command that starts the given one in isolation, with the same streams and environment. */
  wrap(command: Command): { file: string; args: string[] };
}

/** Without these a hostile file can do harm. `user` is additional protection. */
const NEEDED = ["files", "network", "processes"] as const satisfies Guarantee[];

/** Node's permission model alone. */
export const notIsolated: Isolation = {
  kind: "none",
  holds: [],
  endsWithServer: false,
  wrap: ({ file, args }) => ({ file, args: [...args] }),
};

export function lackingGuarantees({ holds }: Isolation): Guarantee[] {
  return NEEDED.filter((guarantee) => !holds.includes(guarantee));
}

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
