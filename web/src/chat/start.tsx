import { lazy, Suspense } from "react";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../shell/queries.ts";
import { agentQuery, modelsQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

// not needed without an agent
const AgentStart = lazy(async () => ({
  default: (await import("./agent-start.tsx")).AgentStart,
}));

interface StartProps {
  agentId: string | null | undefined;
  onStarter: (question: string) => void;
}

/** Shown before the first message: a greeting, and who answers. An agent offers its questions. */
export function Start({ agentId, onStarter }: StartProps) {
  const texts = useChatTexts();
  const { data: me } = useQuery(meQuery);
  const { data: models } = useQuery(modelsQuery);
  const { data: agent } = useQuery(agentQuery(agentId));
  const isOffline = models?.items[0]?.providerName === "offline";
  return (
    <div
      className={
        "grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-end justify-items-center gap-2 overflow-y-auto px-4 " +
        "pt-16 pb-[12dvh] text-center md:flex-none md:pt-[12dvh] md:pb-8"
      }
    >
      {agentId && agent ? (
        <Suspense fallback={null}>
          <AgentStart agent={agent} onStarter={onStarter} />
        </Suspense>
      ) : (
        <>
          <h1 className="max-w-full text-2xl wrap-anywhere">
            {texts.greeting(me?.name ?? "")}
          </h1>
          <p className="text-muted">{texts.greetingHint}</p>
          {isOffline && <p className="max-w-md text-xs text-muted">{texts.offlineModel}</p>}
        </>
      )}
    </div>
  );
}
