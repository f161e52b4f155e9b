import { ExternalLink } from "lucide-react";
import { buttonLook } from "../ui/button.tsx";
import type { ThreadMessage } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

type Visit = NonNullable<ThreadMessage["waiting"][number]["visit"]>;

/** Where the server of a tool wants its user first. The host stands out: the server chose it. */
export function VisitForCall({ visit: { address, said } }: { visit: Visit }) {
  const texts = useChatTexts();
  const host = URL.parse(address)?.host ?? address;
  return (
    <div className="grid justify-items-start gap-2">
      {said && (
        <blockquote className="text-sm text-muted">
          <bdi>{said}</bdi>
        </blockquote>
      )}
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={address}
        className={buttonLook("primary")}
      >
        <ExternalLink aria-hidden size={16} />
        <bdi>{texts.visit(host)}</bdi>
      </a>
    </div>
  );
}
