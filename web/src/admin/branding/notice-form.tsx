import type { Branding } from "../../../../src/services/users/contract-branding.ts";
import { appQuery } from "../../shell/queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { Button } from "../../ui/button.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { changeBranding } from "./queries.ts";
import { useBrandingTexts } from "./texts.ts";

const MINUTE_MS = 60_000;

/** A sentence at the top of every page, until a time or until it is removed. */
export function NoticeForm({ notice }: Pick<Branding, "notice">) {
  const texts = useBrandingTexts();
  const form = useFormDraft("branding.notice", { notice });
  const readNewest = useNewest(appQuery);
  const change = useChange({
    async run(changed: Branding["notice"] | "as written") {
      if (changed !== "as written") return changeBranding({ notice: changed });
      const read = async () => ({ notice: (await readNewest()).branding.notice });
      const { changes } = await form.toSave(read, { notice: texts.noticeText });
      return changeBranding(changes);
    },
    keys: [appQuery.queryKey],
    onDone() {
      form.forget();
      notify(texts.saved);
    },
  });
  const { text, until } = form.values.notice ?? { text: "", until: null };
  return (
    <form
      className="grid max-w-measure gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate("as written");
      }}
    >
      <TextArea
        label={texts.noticeText}
        rows={2}
        value={text}
        maxLength={500}
        required
        onChange={({ target }) => form.change({ notice: { text: target.value, until } })}
      />
      <TextField
        label={texts.until}
        hint={texts.untilHint}
        type="datetime-local"
        value={until === null ? "" : toLocalTime(until)}
        className="max-w-64"
        onChange={({ target }) =>
          form.change({ notice: { text, until: fromLocalTime(target.value) } })
        }
      />
      {change.error && <Problem error={change.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.show}
        </Button>
        {notice && (
          <Button look="quiet" onClick={() => change.mutate(null)}>
            {texts.takeAway}
          </Button>
        )}
      </div>
    </form>
  );
}

/** As a field of a local time takes it: `2026-05-01T09:00`, in the zone of the reader. */
function toLocalTime(time: string): string {
  const at = new Date(time);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, "2026-05-01T09:00".length);
}

function fromLocalTime(local: string): string | null {
  return local === "" ? null : new Date(local).toISOString();
}
