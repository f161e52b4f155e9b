import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../shell/queries.ts";
import { modelsQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

/** Shown before the first message: a greeting, and who answers. */
export function Start() {
  const texts = useChatTexts();
  const { data: me } = useQuery(meQuery);
  const { data: models } = useQuery(modelsQuery);
  const isOffline = models?.items[0]?.providerName === "offline";
  return (
    <div className="grid min-h-0 flex-1 content-end justify-items-center gap-2 overflow-y-auto px-4 pb-8 text-center">
      <h1 className="text-2xl">{texts.greeting(me?.name ?? "")}</h1>
      <p className="text-muted">{texts.greetingHint}</p>
      {isOffline && <p className="max-w-md text-xs text-muted">{texts.offlineModel}</p>}
      <div className="h-[12dvh]" />
    </div>
  );
}
