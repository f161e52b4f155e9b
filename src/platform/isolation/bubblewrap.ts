import type { Isolation } from "./isolation.ts";

const NAMESPACES = ["--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534"];
const LIFE = ["--die-with-parent", "--new-session", "--cap-drop", "ALL"];
const ROOT = ["--remount-ro", "/", "--chdir", "/", "--"];

/** Namespaces made by bubblewrap, whose root holds nothing but the readable files. */
export function bubblewrap(bwrap: string): Isolation {
  return {
    kind: "bubblewrap",
    holds: ["files", "network", "processes"],
    endsWithServer: true,
    wrap: ({ file, args, readable }) => ({
      file: bwrap,
      args: [
        ...NAMESPACES,
        ...LIFE,
        ...readable.flatMap((path) => ["--ro-bind", path, path]),
        ...ROOT,
        file,
        ...args,
      ],
    }),
  };
}
