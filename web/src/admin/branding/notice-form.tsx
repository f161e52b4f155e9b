import type { Branding } from "../../../../src/services/users/contract-branding.ts";
import { appQuery } from "../../shell/queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { formatTime } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { textOf } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { changeBranding } from "./queries.ts";
import { useBrandingTexts } from "./texts.ts";

/** A sentence at the top of every page, until a time or until it is taken away. */
export function NoticeForm({ notice }: Pick<Branding, "notice">) {
  const texts = useBrandingTexts();
  const change = useChange({
    run: (changed: { text: string; until: string | null } | null) =>
      changeBranding({ notice: changed }),
    keys: [appQuery.queryKey],
    onDone: () => notify(texts.saved),
  });
  return (
    <form
      className="grid max-w-measure gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const until = textOf(fields, "until");
        change.mutate({
          text: textOf(fields, "text"),
          until: until ? new Date(until).toISOString() : null,
        });
      }}
    >
      <TextArea
        label={texts.noticeText}
        name="text"
        rows={2}
        defaultValue={notice?.text ?? ""}
        maxLength={500}
        required
      />
      <TextField
        label={texts.until}
        hint={notice?.until ? texts.shownUntil(formatTime(notice.until)) : texts.untilHint}
        name="until"
        type="datetime-local"
        className="max-w-64"
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
