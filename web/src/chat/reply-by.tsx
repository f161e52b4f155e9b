import { useQuery } from "@tanstack/react-query";
import { formatClock } from "../texts/format.ts";
import { Glyph } from "../ui/glyph.tsx";
import { join } from "../ui/join.ts";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { agentsQuery, type ThreadMessage } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { useModels } from "../shell/use-models.ts";

interface ReplyByProps {
  message: ThreadMessage;
  /** Whether model and time are shown also without the pointer over the answer. */
  isVisible: boolean;
}

/** Who answered, with which model, and when. */
export function ReplyBy({ message, isVisible }: ReplyByProps) {
  const texts = useChatTexts();
  const { agentId, createdAt, status } = message;
  // without a choice the first model answers, until the server says which it was
  const isGrowing = status === "streaming";
  const agents = useQuery(agentsQuery);
  const { favorites = [], others = [] } = agents.data ?? {};
  const models = useModels();
  const agent = [...favorites, ...others].find(({ id }) => id === agentId);
  const asked =
    message.model ?? (isGrowing && agentId === null ? models?.[0]?.id : undefined);
  const model = models?.find(({ id }) => id === asked);
  const modelName = model?.displayName ?? asked;
  const name = agent?.name ?? modelName ?? texts.reply;
  // its room, and no name of a model that an agent's takes the place of
  if (agentId !== null && awaitsFirst(agents)) return <div className="min-h-6" />;
  return (
    // another one once the name is known, so that it moves nothing
    <div
      key={name}
      className="flex min-h-6 min-w-0 items-center gap-2.5 text-md print:hidden"
    >
      <span className="shrink-0 @min-[54rem]:absolute @min-[54rem]:-left-9">
        <Glyph
          value={agent?.icon ?? null}
          id={agentId ?? model?.providerName ?? asked ?? ""}
          name={name}
          size="small"
        />
      </span>
      <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
      <span
        className={join(
          "shrink-0 text-sm text-muted tabular-nums",
          !isVisible &&
            "opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 " +
              "pointer-coarse:opacity-100",
        )}
      >
        {agent && modelName && `${modelName} · `}
        {formatClock(createdAt)}
      </span>
    </div>
  );
}
