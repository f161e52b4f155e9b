import { Link } from "@tanstack/react-router";
import { useUserTexts } from "./texts.ts";

interface RoleOfGroup {
  role: string;
  groupId: string;
  groupName: string;
}

/** The roles that a user has through groups. */
export function RolesOfGroups({ items }: { items: readonly RoleOfGroup[] }) {
  const texts = useUserTexts();
  if (items.length === 0) return null;
  return (
    <ul aria-label={texts.rolesOfGroups} className="divide-y divide-hairline">
      {items.map(({ role, groupId, groupName }) => (
        <li
          key={`${role} ${groupId}`}
          className="flex flex-wrap items-baseline gap-x-4 py-2"
        >
          <span className="font-medium">{role}</span>
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
