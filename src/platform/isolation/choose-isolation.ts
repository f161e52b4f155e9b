import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { ConfigError } from "../config/read-config.ts";
import {
  type Isolation,
  lackingGuarantees,
  notIsolated,
  describeIsolation,
} from "./isolation.ts";
import { namespaces, ownUser } from "./namespaces.ts";
import { codeFolders, nodeFiles, findCommand } from "./program-files.ts";

export type IsolationMode = "auto" | "required" | "off";

const TRIAL_MS = 10_000;
const CAN_READ = "require('node:fs').accessSync(process.argv[1])";

/**
 * Finds the strongest isolation that works here. It tries each with a real process.
 * @param mountPoint a folder that namespaces may mount over.
 * @throws ConfigError when isolation is required and not available.
 */
export async function chooseIsolation(
  mode: IsolationMode,
  mountPoint: string,
): Promise<Isolation> {
  if (mode === "off") return notIsolated;
  const chosen = await findWorking(await availableIsolations(mountPoint));
  if (mode === "required" && lackingGuarantees(chosen).length > 0)
    throw new ConfigError(
      `PARSER_ISOLATION is "required", but isolation is not available. ${describeIsolation(chosen)}`,
    );
  return chosen;
}

/** Lists the isolations whose tools are installed, the strongest first. */
export async function availableIsolations(mountPoint: string): Promise<Isolation[]> {
  if (process.platform !== "linux" || !(await listsChildProcesses())) return [];
  const root = process.getuid?.() === 0;
  const [bwrap, unshare, setpriv] = await Promise.all(
    ["bwrap", "unshare", "setpriv"].map(findCommand),
  );
  const inNamespaces =
    unshare && setpriv ? [namespaces({ unshare, setpriv, mountPoint, root: false })] : [];
  // only util-linux both changes to a separate user and hides the files
  const asUser =
    root && unshare && setpriv ? [namespaces({ unshare, setpriv, mountPoint, root })] : [];
  return [
    ...asUser,
    ...(bwrap ? [bubblewrap(bwrap)] : []),
    ...inNamespaces,
    ...(root && setpriv ? [ownUser(setpriv)] : []),
  ];
}

async function findWorking(isolations: readonly Isolation[]): Promise<Isolation> {
  for (const isolation of isolations) if (await hasWorked(isolation)) return isolation;
  return notIsolated;
}

/** Trials that succeeded: they do again in this process. */
const succeeded = new Set<string>();

/**
 * Tries an isolation until it has worked once: a trial starts Node, and several parts ask. What
 * works over one folder can fail over another: one that holds our code hides it.
 */
async function hasWorked(isolation: Isolation): Promise<boolean> {
  const trial = JSON.stringify(trialOf(isolation));
  if (!succeeded.has(trial) && (await works(isolation))) succeeded.add(trial);
  return succeeded.has(trial);
}

/** Whether Node starts in it and can read our code. */
export async function works(isolation: Isolation): Promise<boolean> {
  const { file, args } = trialOf(isolation);
  return promisify(execFile)(file, args, { env: {}, timeout: TRIAL_MS }).then(
    () => true,
    () => false,
  );
}

function trialOf(isolation: Isolation) {
  const [code = ""] = codeFolders();
  return isolation.wrap({
    file: process.execPath,
    args: ["-e", CAN_READ, code],
    readable: [...nodeFiles(), ...codeFolders()],
  });
}

/** Without that list the memory of a nested process cannot be measured. */
function listsChildProcesses(): Promise<boolean> {
  const { pid } = process;
  return readFile(`/proc/${pid}/task/${pid}/children`).then(
    () => true,
    () => false,
  );
}

const NAMESPACES = ["--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534"];
const LIFE = ["--die-with-parent", "--new-session", "--cap-drop", "ALL"];
const ROOT = ["--remount-ro", "/", "--chdir", "/", "--"];

/** Namespaces made by bubblewrap, whose root holds nothing but the readable files. */
function bubblewrap(bwrap: string): Isolation {
  return {
    kind: "bubblewrap",
    holds: ["files", "network", "processes"],
    endsWithServer: true,
    wrap: ({ file, args, readable, space, shared, system }) => ({
      file: bwrap,
      args: [
        ...NAMESPACES,
        ...(system?.network ? ["--share-net"] : []),
        ...LIFE,
        ...(system ? ["--proc", "/proc", "--dev", "/dev"] : []),
        ...readable.flatMap((path) => ["--ro-bind", path, path]),
        ...(space ? ["--size", String(space.bytes), "--tmpfs", space.path] : []),
        ...[...(shared ? [shared] : []), ...(system?.writable ?? [])].flatMap((path) => [
          "--bind",
          path,
          path,
        ]),
        ...ROOT,
        file,
        ...args,
      ],
    }),
  };
}
