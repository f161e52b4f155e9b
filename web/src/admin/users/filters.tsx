import { useNavigate } from "@tanstack/react-router";
import { useList } from "../../shell/use-list.ts";
import { SearchField } from "../../ui/search-field.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { rolesQuery } from "../roles/queries.ts";
import type { UsersSearch } from "./routes.ts";
import { StateFilter } from "./state-filter.tsx";
import { useUserTexts } from "./texts.ts";

/** Filters the list; the filters are part of the address. */
export function UserFilters({ search }: { search: UsersSearch }) {
  const texts = useUserTexts();
  const navigate = useNavigate();
  const roles = useList(rolesQuery).data?.items ?? [];
  const narrow = (change: Partial<Record<keyof UsersSearch, string | undefined>>) =>
    void navigate({
      to: "/admin/users",
      search: { ...search, ...change } as UsersSearch, // the route validates it
      replace: true,
    });
  return (
    <div className="flex flex-wrap gap-3">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56"
        value={search.q}
        onSearch={(q) => narrow({ q })}
      />
      <SelectField
        label={texts.role}
        value={search.role ?? ""}
        onChange={({ target }) => narrow({ role: target.value || undefined })}
      >
        <option value="">{texts.anyRole}</option>
        {roles.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <StateFilter value={search.state} onChange={(state) => narrow({ state })} />
    </div>
  );
}
