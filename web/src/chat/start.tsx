import { useQuery } from "@tanstack/react-query";
import type { VisibleAgent } from "../../../src/services/core/agents/contract.ts";
import { meQuery } from "../shell/queries.ts";
import { currentLocale } from "../texts/language.ts";
import { agentQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { useModels } from "../shell/use-models.ts";
import { Glyph } from "../ui/glyph.tsx";

interface StartHeadProps {
  agentId: string | null | undefined;
}

/** Above the composer before the first message: the day and a greeting, or the agent. */
export function StartHead({ agentId }: StartHeadProps) {
  const { data: agent } = useQuery(agentQuery(agentId));
  return (
    <div className="mx-auto w-full max-w-[46rem] px-4 pt-[min(11dvh,6.5rem)] pb-7">
      {agentId && agent ? <AgentHead agent={agent} /> : <Greeting />}
    </div>
  );
}

/** What an agent is for, in the place of the greeting. */
function AgentHead({ agent }: { agent: VisibleAgent }) {
  const { id, name, description, icon } = agent;
  return (
    <>
      <div className="flex min-w-0 items-center gap-3">
        <Glyph value={icon} id={id} name={name} size="large" />
        <h1 className={`min-w-0 ${TITLE}`}>
          <bdi>{name}</bdi>
        </h1>
      </div>
      {description && (
        <p dir="auto" className="line-clamp-3 pt-1 text-muted wrap-anywhere">
          {description}
        </p>
      )}
    </>
  );
}

const TITLE = "text-[1.75rem] leading-tight tracking-[-0.018em] wrap-anywhere md:text-3xl";

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
    <>
      <p className="pb-1.5 text-muted">{day}</p>
      <h1 className={TITLE}>{texts.greeting(now.getHours(), firstName(me?.name ?? ""))}</h1>
      {isOffline && <p className="pt-2 text-sm text-muted">{texts.offlineModel}</p>}
    </>
  );
}

/** `Nina Weber` → `Nina`; a name of another form stays whole. */
function firstName(name: string): string {
  return /^(\p{L}[\p{L}\p{M}'’-]*) \p{L}/u.exec(name)?.[1] ?? name;
}
