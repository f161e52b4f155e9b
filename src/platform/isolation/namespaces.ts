import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command, Isolation } from "./isolation.ts";

export interface NamespaceTools {
  unshare: string;
  setpriv: string;
  /** A folder over which the root of the process is mounted, seen by that process alone. */
  mountPoint: string;
  /** Whether this process may change to other users. */
  root: boolean;
}

const END_WITH_PARENT = ["--pdeathsig", "KILL"];
const NAMESPACES = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"];
const MAPPED = ["--user", "--map-root-user"];
const ENTER = ["--", "/bin/sh", fileURLToPath(new URL("./enter-root.sh", import.meta.url))];

/** Namespaces made by util-linux, which nearly every Linux has. */
export function namespaces({
  unshare,
  setpriv,
  mountPoint,
  root,
}: NamespaceTools): Isolation {
  return {
    kind: "namespaces",
    holds: ["files", "network", "processes", ...(root ? (["user"] as const) : [])],
    endsWithServer: true,
    wrap(command) {
      const own = command.system ? PROGRAM_USER : nextUser();
      const user = root ? own : "same";
      const { folders, files, table } = layOut(command, mountPoint);
      const { path = "", bytes = 0 } = command.space ?? {};
      return {
        file: setpriv,
        args: [
          ...END_WITH_PARENT,
          unshare,
          ...(root ? [] : MAPPED),
          ...NAMESPACES,
          ...(command.system?.network ? [] : ["--net"]),
          ...ENTER,
          mountPoint,
          user,
          folders.join("\n"),
          files.join("\n"),
          table,
          path && join(mountPoint, path),
          String(bytes),
          command.system ? "proc" : "",
          command.file,
          ...command.args,
        ],
      };
    },
  };
}

/** The mount points to make below the root, and what is mounted on them as an fstab. */
function layOut({ readable, shared, system }: Command, mountPoint: string) {
  const devices = system ? DEVICES : [];
  const writable = [...(shared ? [shared] : []), ...(system?.writable ?? [])];
  const folders = readable.filter((path) => statSync(path).isDirectory());
  const files = [...readable.filter((path) => !folders.includes(path)), ...devices];
  const below = (path: string) => join(mountPoint, path);
  const line = (path: string, mode = "ro,nodev") =>
    `${escape(path)} ${escape(below(path))} none bind,${mode},nosuid 0 0\n`;
  const holding = [...folders, ...files.map((path) => dirname(path)), ...writable];
  return {
    folders: [...new Set(holding)].map(below),
    files: files.map(below),
    table: [
      ...readable.map((path) => line(path)),
      ...writable.map((path) => line(path, "rw,nodev")),
      ...devices.map((path) => line(path, "rw")),
    ].join(""),
  };
}

const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/** As fstab(5) writes white space in paths. */
function escape(path: string): string {
  return path.replace(/[\s\\#]/g, (character) => {
    const code = character.charCodeAt(0).toString(8).padStart(3, "0");
    return `\\${code}`;
  });
}

const FIRST_USER = 65_000;
/** One for all programs of others: the next process may change the files that the last one left. */
const PROGRAM_USER = "64999";
const USERS = 500;
const WITHOUT_RIGHTS = [
  "--clear-groups",
  "--no-new-privs",
  "--inh-caps=-all",
  "--bounding-set=-all",
  "--pdeathsig=KILL",
  "--",
];
let started = 0;

/** A user id for one process: neither the server's nor that of the next process. */
function nextUser(): string {
  started += 1;
  return String(FIRST_USER + (started % USERS));
}

/** For root without namespaces, as in most containers. */
export function ownUser(setpriv: string): Isolation {
  return {
    kind: "own-user",
    holds: ["processes", "user"],
    endsWithServer: true,
    wrap({ file, args }) {
      const user = nextUser();
      return {
        file: setpriv,
        args: [`--reuid=${user}`, `--regid=${user}`, ...WITHOUT_RIGHTS, file, ...args],
      };
    },
  };
}
