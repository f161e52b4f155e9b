import { availableIsolations, works } from "../choose-isolation.ts";
import { type Isolation, notIsolated } from "../isolation.ts";

/** Lists the isolations that this machine permits, with user namespaces listed separately. */
export async function workingIsolations(
  mountPoint: string,
): Promise<Map<string, Isolation>> {
  const working = new Map([["none", notIsolated]]);
  for (const isolation of await availableIsolations(mountPoint)) {
    const apart = isolation.kind === "namespaces" && isolation.holds.includes("user");
    const name = apart ? "namespaces of another user" : isolation.kind;
    if (await works(isolation)) working.set(name, isolation);
  }
  return working;
}

export async function isolationOfKind(
  name: string,
  mountPoint: string,
): Promise<Isolation> {
  return (await workingIsolations(mountPoint)).get(name) ?? notIsolated;
}
