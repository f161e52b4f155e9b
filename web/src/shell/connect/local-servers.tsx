import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { type LocalServer, localServersQuery } from "./queries.ts";
import { useConnectTexts } from "./texts.ts";

/** Servers of models that run on this machine, each ready to be connected. */
export function LocalServers({ onChoose }: { onChoose: (server: LocalServer) => void }) {
  const texts = useConnectTexts();
  const servers = useQuery(localServersQuery).data?.items ?? [];
  if (servers.length === 0) return null;
  return (
    <section aria-label={texts.found} className="grid gap-2">
      <h3 className="text-sm text-muted">{texts.found}</h3>
      <ul className="grid gap-2">
        {servers.map((server) => (
          <li key={server.address}>
            <button
              type="button"
              onClick={() => onChoose(server)}
              className="flex w-full items-center gap-3 rounded-lg border border-hairline bg-page p-3 text-left hover:border-accent pointer-coarse:min-h-11"
            >
              <Cpu aria-hidden size={20} className="shrink-0 text-accent" />
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{server.name}</span>
                <span className="truncate text-xs text-muted">
                  <bdi>{server.address}</bdi> · {texts.modelsOf(server.models)}
                </span>
              </span>
              <span className="shrink-0 text-sm text-accent">{texts.connectIt}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
