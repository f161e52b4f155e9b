import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useList } from "../../shell/use-list.ts";
import { useRoleName } from "../../texts/role-name.ts";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { describeSource } from "../groups/describe-source.ts";
import { useGroupTexts } from "../groups/texts.ts";
import { PermissionList } from "../roles/permission-list.tsx";
import { groupsOfUserQuery, permissionsOfUserQuery } from "./queries.ts";
import { useUserTexts } from "./texts.ts";

/** The permissions and groups of a user, each with the reason. */
export function Access() {
  const texts = useUserTexts();
  const { id } = useParams({ from: "/app/admin/users/$id" });
  const roleName = useRoleName();
  const { data, error, refetch } = useQuery(permissionsOfUserQuery(id));
  return (
    <>
      <Section title={texts.groups} hint={texts.groupsHint}>
        <Groups id={id} />
      </Section>
      <Section
        title={texts.permissions}
        hint={data && texts.permissionsHint(data.roles.map(roleName))}
      >
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading shape="list" lines={8} />}
        {data && <RolesOfGroups items={data.rolesOfGroups} />}
        {data && <PermissionList permissions={data.permissions} />}
      </Section>
    </>
  );
}

function Groups({ id }: { id: string }) {
  const texts = useUserTexts();
  const groupTexts = useGroupTexts();
  const list = useList(groupsOfUserQuery(id));
  if (list.isPending) return <Loading lines={2} className="px-0" />;
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.total === 0) return <p className="text-muted">{texts.noGroups}</p>;
  return (
    <div>
      <ul className="divide-y divide-hairline">
        {list.data.items.map((group) => (
          <li key={group.id} className="flex flex-wrap items-baseline gap-x-4 py-2">
            <Link
              to="/admin/groups/$id"
              params={{ id: group.id }}
              className="min-w-0 flex-1 basis-40 truncate font-medium hover:underline"
            >
              <bdi>{group.name}</bdi>
            </Link>
            <bdi className="text-xs text-muted">
              {group.sources
                .map((one) => describeSource(groupTexts, one, group.id))
                .join(", ")}
            </bdi>
          </li>
        ))}
      </ul>
      <More list={list} />
    </div>
  );
}

interface RoleOfGroup {
  role: string;
  groupId: string;
  groupName: string;
}

/** The roles that a user has through groups. */
function RolesOfGroups({ items }: { items: readonly RoleOfGroup[] }) {
  const texts = useUserTexts();
  const roleName = useRoleName();
  if (items.length === 0) return null;
  return (
    <ul aria-label={texts.rolesOfGroups} className="divide-y divide-hairline">
      {items.map(({ role, groupId, groupName }) => (
        <li
          key={`${role} ${groupId}`}
          className="flex flex-wrap items-baseline gap-x-4 py-2"
        >
          <span className="font-medium">{roleName(role)}</span>
          <span className="min-w-0 flex-1 basis-40 truncate text-muted">
            {texts.throughGroup}{" "}
            <Link
              to="/admin/groups/$id"
              params={{ id: groupId }}
              title={groupName}
              className="hover:underline"
            >
              <bdi>{groupName}</bdi>
            </Link>
          </span>
        </li>
      ))}
    </ul>
  );
}
