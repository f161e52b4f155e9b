import { Sessions } from "./sessions.tsx";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { toFailure } from "../api/failure.ts";
import { appQuery, meQuery } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Problem } from "../ui/states.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { changePassword } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";

export function Security() {
  return (
    <>
      <PasswordForm />
      <Sessions />
    </>
  );
}

function PasswordForm() {
  const { password: texts } = useSettingsTexts();
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { data: me } = useQuery(meQuery);
  const { data: app } = useQuery(appQuery);
  const minCharacters = app?.limits.passwordCharacters;
  const change = useMutation({
    mutationFn: changePassword,
    async onSuccess() {
      form.current?.reset();
      await queries.invalidateQueries({ queryKey: ["settings", "sessions"] });
      notify(texts.changed);
    },
  });
  const isWrong = change.error && toFailure(change.error).code === "password_wrong";
  return (
    <Section title={texts.title} hint={texts.hint}>
      <form
        ref={form}
        className="grid max-w-md gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const text = (name: string) => String(fields.get(name) ?? "");
          change.mutate({
            email: me?.email ?? "",
            currentPassword: text("current"),
            newPassword: text("next"),
          });
        }}
      >
        <input type="hidden" autoComplete="username" value={me?.email ?? ""} readOnly />
        <PasswordField
          label={texts.current}
          name="current"
          autoComplete="current-password"
          error={isWrong ? texts.wrong : undefined}
          required
        />
        <PasswordField
          label={texts.next}
          hint={minCharacters && texts.rule(minCharacters)}
          name="next"
          autoComplete="new-password"
          minLength={minCharacters}
          required
        />
        {change.error && !isWrong && <Problem error={change.error} />}
        <Button
          type="submit"
          look="primary"
          busy={change.isPending}
          className="justify-self-start"
        >
          {texts.change}
        </Button>
      </form>
    </Section>
  );
}
