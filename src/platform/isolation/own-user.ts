import type { Isolation } from "./isolation.ts";

const FIRST_USER = 65_000;
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
export function nextUser(): string {
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
