import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../api/failure.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { meQuery } from "./queries.ts";

interface PermittedProps {
  /** Undefined: everybody may see it. */
  permission: string | undefined;
  children: ReactNode;
}

/** Shows something to those whose roles permit it; others read which permission they lack. */
export function Permitted({ permission, children }: PermittedProps) {
  const { data: me, error } = useQuery(meQuery);
  if (error) return <Problem error={error} />;
  if (!me) return <Loading className="px-0" />;
  if (permission === undefined || me.permissions.includes(permission)) return children;
  const refusal = { status: 403, params: { permission } };
  return <Problem error={new Failure("forbidden", "Not permitted.", refusal)} />;
}
