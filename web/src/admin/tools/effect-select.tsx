import { useChange } from "../../shell/use-change.ts";
import { INPUT_LOOK } from "../../ui/field.tsx";
import { notifyFailure } from "../../ui/notices.tsx";
import { classify, type Effect, type Tool } from "./queries.ts";
import { useToolTexts } from "./texts.ts";

const EFFECTS = ["read_only", "additive", "destructive"] as const;

/**
 * The effect of a tool's calls, and who determined it. An administrator's choice applies until the
 * tool changes.
 */
export function EffectSelect({ tool }: { tool: Tool }) {
  const texts = useToolTexts();
  const { effect, effectBy } = tool;
  const change = useChange({
    run: (next: Effect | null) => classify(tool, next),
    keys: [["tool-servers", "tools"]],
  });
  const isOwn = effectBy === "administrator";
  return (
    <div className="grid gap-0.5 md:w-64">
      <select
        aria-label={`${texts.effect}: ${tool.name}`}
        className={INPUT_LOOK}
        aria-busy={change.isPending}
        value={isOwn ? effect : ""}
        onChange={({ target }) =>
          change.mutate(EFFECTS.find((one) => one === target.value) ?? null, {
            onError: notifyFailure,
          })
        }
      >
        <option value="">
          {isOwn || !effect ? texts.bySelf : texts.bySelfAs(texts.effects[effect])}
        </option>
        {EFFECTS.map((one) => (
          <option key={one} value={one}>
            {texts.effects[one]}
          </option>
        ))}
      </select>
      <span className="text-xs text-muted">
        {effectBy && texts.effectBy[effectBy]}
        {effect === "destructive" && ` · ${texts.waits}`}
      </span>
    </div>
  );
}
