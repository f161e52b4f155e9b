import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";

/** Leads from one thing to the list of all. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Link
      to={to}
      className={
        "-ml-2 inline-flex min-h-8 shrink-0 items-center gap-1.5 justify-self-start rounded-md px-2 " +
        "text-muted hover:bg-hover hover:text-ink " +
        "pointer-coarse:min-h-11"
      }
    >
      <ArrowLeft aria-hidden size={15} />
      {label}
    </Link>
  );
}
