import { Link } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { meQuery, usePermission } from "../shell/queries.ts";
import { useRoleName } from "../texts/role-name.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { changeName } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";

export function Profile() {
  const { profile: texts } = useSettingsTexts();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const change = useMutation({
    mutationFn: changeName,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      notify(texts.saved);
    },
  });
  const roleName = useRoleName();
  const mayChange = usePermission("user:administer");
  if (!me) return <Loading shape="fields" lines={4} />;
  const account = (
    <Link
      to="/admin/users/$id/account"
      params={{ id: me.id }}
      className="inline-flex min-h-6 items-center text-accent underline"
    >
      {texts.toAccount}
    </Link>
  );
  return (
    <form
      className="grid max-w-md gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(String(new FormData(event.currentTarget).get("name") ?? ""));
      }}
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        name="name"
        defaultValue={me.name}
        maxLength={200}
        autoComplete="name"
        required
      />
      <TextField
        label={texts.email}
        hint={mayChange ? account : texts.emailHint}
        value={me.email}
        readOnly
      />
      <TextField
        label={texts.roles}
        hint={texts.rolesHint}
        value={me.roles.map(roleName).join(", ")}
        readOnly
      />
      {change.error && <Problem error={change.error} />}
      <Button
        type="submit"
        look="primary"
        busy={change.isPending}
        className="justify-self-start"
      >
        {texts.save}
      </Button>
    </form>
  );
}
