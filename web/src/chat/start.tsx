import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { meQuery } from "../shell/queries.ts";
import { currentLocale } from "../texts/language.ts";
import { agentQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { useModels } from "../shell/use-models.ts";
import { lazyPart } from "../ui/lazy-part.ts";

// not needed without an agent
const AgentStart = lazyPart(() => import("./agent-start.tsx"), "AgentStart");

interface StartHeadProps {
  agentId: string | null | undefined;
  onStarter: (question: string) => void;
}

/** Above the composer before the first message: the day and a greeting, or the agent. */
export function StartHead({ agentId, onStarter }: StartHeadProps) {
  const { data: agent } = useQuery(agentQuery(agentId));
  if (agentId && agent)
    return (
      <div
        className={
          "mx-auto grid w-full max-w-[46rem] grid-cols-[minmax(0,1fr)] justify-items-center " +
          "gap-2 px-4 pt-[min(9dvh,5.5rem)] pb-7 text-center"
        }
      >
        <Suspense fallback={null}>
          <AgentStart agent={agent} onStarter={onStarter} />
        </Suspense>
      </div>
    );
  return <Greeting />;
}

function Greeting() {
  const texts = useChatTexts();
  const { data: me } = useQuery(meQuery);
  const models = useModels();
  const isOffline = models?.[0]?.providerName === "offline";
  const now = new Date();
  const day = new Intl.DateTimeFormat(currentLocale(), {
    weekday: "long",
    day: "numeric",
    month: "long",
  }).format(now);
  return (
    <div className="mx-auto w-full max-w-[46rem] px-4 pt-[min(11dvh,6.5rem)] pb-7">
      <p className="text-muted">{day}</p>
      <h1 className="text-[1.75rem] leading-tight tracking-[-0.018em] wrap-anywhere md:text-3xl">
        {texts.greeting(now.getHours(), firstName(me?.name ?? ""))}
      </h1>
      {isOffline && <p className="pt-2 text-sm text-muted">{texts.offlineModel}</p>}
    </div>
  );
}

/** `Nina Weber` → `Nina`; a name of another form stays whole. */
function firstName(name: string): string {
  return /^(\p{L}[\p{L}\p{M}'’-]*) \p{L}/u.exec(name)?.[1] ?? name;
}
