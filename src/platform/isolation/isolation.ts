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
